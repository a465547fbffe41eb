package gamespy2

import "github.com/lobbywire/lobbywire/internal/wire"

// A Packet is one datagram of a response in split form, with its body undecoded. An
// [Assembler] joins packets. [ParseResponse] reads a response of one packet.
//
// Between ID and number is the text "splitnum" with a zero byte. The last packet
// has 128 added to its number.
//
//wire:message canonical type=TypeQuery
type Packet struct {
	ID     [4]byte `wire:"id"` // of the request
	Number uint8   // from 0 to 127
	Last   bool
	Body   []byte // see [Response]
}

// splitMark is the field splitnum.
const splitMark = "splitnum\x00"

// lastFlag marks the number of the last packet.
const lastFlag = 0x80

// Offsets in every response and, from numberOffset on, in every packet.
const (
	idOffset     = 1
	idEnd        = 5
	numberOffset = idEnd + len(splitMark)
	bodyOffset   = numberOffset + 1
)

func (m *Packet) decode(r *wire.Reader, _ Options) {
	m.decodeHeader(r)
	m.decodeSplit(r)
	m.Body = r.Rest("body")
}

// decodeSplit reads the fields between id and body.
func (m *Packet) decodeSplit(r *wire.Reader) {
	if r.Len() > 0 && !isSplit(r.Peek()) {
		r.Refuse("splitnum", r.Offset(), "missing")
	}
	r.Skip(len(splitMark), "splitnum")
	number := r.Uint8("number")
	m.Number = number &^ lastFlag
	m.Last = number&lastFlag != 0
}

// isSplit reports whether p, the bytes after the id, starts like the split form.
func isSplit(p []byte) bool {
	n := min(len(p), len(splitMark))
	return n > 0 && string(p[:n]) == splitMark[:n]
}

// append fails if Number is above 127.
func (m *Packet) append(w *wire.Writer) {
	number := m.Number
	if number >= lastFlag {
		w.Exceed("number", int(number), lastFlag-1)
	}
	if m.Last {
		number |= lastFlag
	}
	m.appendHeader(w)
	w.Text(splitMark)
	w.Uint8(number)
	w.Bytes(m.Body)
}

// SetID sets the id of an encoded response. A server can encode its response
// once and set the id of each request.
func SetID(response []byte, id [4]byte) {
	if len(response) >= idEnd {
		copy(response[idOffset:], id[:])
	}
}
