package gamespy2

import (
	"encoding/hex"
	"fmt"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// EchoData is the data of an echo request, up to [MaxEchoData] bytes. EchoData
// is comparable with ==.
type EchoData struct {
	size  uint8
	bytes [MaxEchoData]byte
}

// MakeEchoData returns p as EchoData. Encoding fails if p has more than
// [MaxEchoData] bytes.
func MakeEchoData(p []byte) EchoData {
	var d EchoData
	d.size = uint8(min(len(p), MaxEchoData+1))
	copy(d.bytes[:], p)
	return d
}

// AppendTo appends the bytes of d to b.
func (d EchoData) AppendTo(b []byte) []byte {
	return append(b, d.bytes[:min(d.size, MaxEchoData)]...)
}

// MarshalText returns the bytes of d in hexadecimal.
func (d EchoData) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, d.AppendTo(nil)), nil }

// UnmarshalText reads the form that MarshalText returns.
func (d *EchoData) UnmarshalText(text []byte) error {
	p, err := hex.AppendDecode(nil, text)
	if err != nil {
		return fmt.Errorf("%s: echo data is not hexadecimal", proto)
	}
	*d = MakeEchoData(p)
	return nil
}

// decode reads all remaining bytes, but not more than MaxEchoData.
func (d *EchoData) decode(r *wire.Reader) {
	n := copy(d.bytes[:], r.Peek())
	d.size = uint8(n)
	r.Skip(n, "data")
}

// decodeEcho reads all remaining bytes.
func decodeEcho(r *wire.Reader, field string) (d EchoData) {
	if r.Len() > MaxEchoData {
		r.Exceed(field, r.Offset(), r.Len(), MaxEchoData)
	}
	d.decode(r)
	return d
}

// appendEcho appends the data of an echo.
//
//wire:fails Data has more than [MaxEchoData] bytes
func appendEcho(w *wire.Writer, field string, d EchoData) {
	if d.size > MaxEchoData {
		w.Exceed(field, int(d.size), MaxEchoData)
		return
	}
	w.Bytes(d.bytes[:d.size])
}

// An EchoResponse answers an echo request. Clients send echo requests to find
// servers on a local network.
//
//wire:message canonical type=TypeEchoResponse
type EchoResponse struct {
	ID   [4]byte  `wire:"id"`        // of the request
	Data EchoData `wire:"data,echo"` // of the request
}
