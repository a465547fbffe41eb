package gamespy2

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// EchoData is up to [MaxEchoData] bytes that come back. Values can be compared
// with ==.
type EchoData struct {
	size  uint8
	bytes [MaxEchoData]byte
}

// MakeEchoData returns p as EchoData. More than [MaxEchoData] bytes cannot be
// encoded.
func MakeEchoData(p []byte) EchoData {
	var d EchoData
	d.size = uint8(min(len(p), MaxEchoData+1))
	copy(d.bytes[:], p)
	return d
}

// AppendTo appends the bytes to b.
func (d EchoData) AppendTo(b []byte) []byte {
	return append(b, d.bytes[:min(d.size, MaxEchoData)]...)
}

// MarshalText returns the bytes in hexadecimal.
func (d EchoData) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%x", d.AppendTo(nil)), nil
}

// UnmarshalText reads what MarshalText returns.
func (d *EchoData) UnmarshalText(text []byte) error {
	var p []byte
	for digits := range slices.Chunk(text, 2) {
		n, err := strconv.ParseUint(string(digits), 16, 8)
		if err != nil || len(digits) < 2 {
			return fmt.Errorf("%s: echo data is not hexadecimal", proto)
		}
		p = append(p, byte(n))
	}
	*d = MakeEchoData(p)
	return nil
}

// decode reads what there is, up to MaxEchoData bytes.
func (d *EchoData) decode(r *wire.Reader) {
	n := copy(d.bytes[:], r.Peek())
	d.size = uint8(n)
	r.Skip(n, "data")
}

func (d *EchoData) append(w *wire.Writer) {
	if d.size > MaxEchoData {
		w.Fail(lobbywire.ErrTooLarge, "data")
		return
	}
	w.Bytes(d.bytes[:d.size])
}

// An EchoResponse answers an echo request. Clients on a local network find
// servers by it.
//
//	offset  size  field
//	0       1     type, 5
//	1       4     id
//	5       n     data
type EchoResponse struct {
	ID   [4]byte  // that of the request
	Data EchoData // that of the request
}

// ParseEchoResponse reads an [EchoResponse].
func ParseEchoResponse(b []byte) (EchoResponse, error) {
	r := wire.NewReader(b)
	var m EchoResponse
	m.decode(&r)
	if err := r.Err(proto); err != nil {
		return EchoResponse{}, err
	}
	return m, nil
}

// ExplainEchoResponse accounts for every byte of an [EchoResponse].
func ExplainEchoResponse(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "EchoResponse", b, func(r *wire.Reader) { new(EchoResponse).decode(r) })
}

func (m *EchoResponse) decode(r *wire.Reader) {
	decodeType(r, TypeEchoResponse)
	m.ID = decodeID(r)
	if r.Len() > MaxEchoData {
		r.Fail(lobbywire.ErrTooLarge, "data", r.Offset())
	}
	m.Data.decode(r)
}

// AppendBinary appends the wire form to b. It fails if there are too many data.
func (m EchoResponse) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Uint8(uint8(TypeEchoResponse))
	w.Bytes(m.ID[:])
	m.Data.append(&w)
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m EchoResponse) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseEchoResponse] does.
func (m *EchoResponse) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseEchoResponse(b)
	return err
}
