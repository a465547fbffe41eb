package gamespy2

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// splitMark starts a packet of an answer in split form, after the id.
const splitMark = "splitnum\x00"

// lastFlag marks the number of the last packet.
const lastFlag = 0x80

// A Packet is one datagram of an answer in split form, its body not taken
// apart. An [Assembler] joins packets; an answer in one packet is read by
// [ParseResponse].
//
//	offset  size  field
//	0       1     type, 0
//	1       4     id
//	5       9     splitnum, "splitnum" 00
//	14      1     number, plus 128 in the last packet
//	15      n     body, sections
type Packet struct {
	ID     [4]byte // that of the request
	Number uint8   // from 0 to 127
	Last   bool
	Body   []byte // see Response
}

// ParsePacket reads a [Packet].
func ParsePacket(b []byte) (Packet, error) {
	r := wire.NewReader(b)
	var m Packet
	m.decode(&r)
	if err := r.Err(proto); err != nil {
		return Packet{}, err
	}
	return m, nil
}

// ExplainPacket accounts for every byte of a [Packet].
func ExplainPacket(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Packet", b, func(r *wire.Reader) { new(Packet).decode(r) })
}

func (m *Packet) decode(r *wire.Reader) {
	decodeType(r, TypeQuery)
	m.ID = decodeID(r)
	m.decodeSplit(r)
	m.Body = r.Rest("body")
}

// decodeSplit reads what stands between id and body. It returns where the
// number is.
func (m *Packet) decodeSplit(r *wire.Reader) (at int) {
	p := r.Peek()
	n := min(len(p), len(splitMark))
	if string(p[:n]) != splitMark[:n] {
		r.Fail(lobbywire.ErrInvalid, "splitnum", r.Offset())
	}
	r.Skip(len(splitMark), "splitnum")
	at = r.Offset()
	number := r.Uint8("number")
	m.Number = number &^ lastFlag
	m.Last = number&lastFlag != 0
	return at
}

// isSplit tells whether p, what follows the id, is of the split form, or may
// become so.
func isSplit(p []byte) bool {
	n := min(len(p), len(splitMark))
	return n > 0 && string(p[:n]) == splitMark[:n]
}

// AppendBinary appends the wire form to b. It fails if Number is above 127.
func (m Packet) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	if m.Number >= lastFlag {
		w.Fail(lobbywire.ErrTooLarge, "number")
	}
	if _, err := w.Finish(proto); err != nil {
		return b, err
	}
	return append(appendSplitHeader(b, m.ID, m.Number, m.Last), m.Body...), nil
}

// appendSplitHeader appends all but the body of a packet.
func appendSplitHeader(b []byte, id [4]byte, number uint8, last bool) []byte {
	if last {
		number |= lastFlag
	}
	b = append(b, byte(TypeQuery))
	b = append(b, id[:]...)
	b = append(b, splitMark...)
	return append(b, number)
}

// MarshalBinary returns the wire form.
func (m Packet) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParsePacket] does.
func (m *Packet) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParsePacket(b)
	return err
}
