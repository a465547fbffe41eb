package gamespy2

import (
	"bytes"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A ChallengeResponse answers a challenge request.
//
// The number is decimal text. Unless it is 0, zero bytes pad a short message to 12 bytes.
//
//wire:message type=TypeChallenge
type ChallengeResponse struct {
	ID [4]byte `wire:"id"` // of the request

	// Number is the challenge for the query. 0 means that the server uses no challenges, so
	// the query contains none. All clients read positive numbers of at least 6 digits
	// correctly.
	Number int32
}

// decode reads a message of 10 bytes whose text is not a number as Nukkit, a Minecraft
// server, sends it: four bytes are the number, and a zero byte follows.
func (m *ChallengeResponse) decode(r *wire.Reader, o Options) {
	m.decodeHeader(r)
	if !o.Strict && isRawNumber(r.Peek()) {
		m.Number = int32(r.Uint32("number"))
		r.Const8("end", 0)
		return
	}
	m.Number = int32(r.Int0(32, "number"))
	decodePadding(r, o)
}

// isRawNumber reports whether p is four bytes and a zero byte, or the beginning of such
// bytes, and its text is not a number.
func isRawNumber(p []byte) bool {
	const size = 5
	if len(p) > size || len(p) == size && p[size-1] != 0 {
		return false
	}
	text, _, _ := bytes.Cut(p, []byte{0})
	digits := bytes.TrimPrefix(text, []byte{'-'})
	return len(text) < len(p) && len(digits) == 0 || len(bytes.Trim(digits, "0123456789")) > 0
}

// append pads the wire form with zeros to 12 bytes unless Number is 0.
//
//wire:fails never
func (m *ChallengeResponse) append(w *wire.Writer) {
	m.appendHeader(w)
	w.Int0(int64(m.Number))
	for m.Number != 0 && w.Len() < minChallengeResponse {
		w.Uint8(0)
	}
}

// decodePadding ignores bytes after the number; with Options.Strict it accepts only the
// padding that append writes, or none.
func decodePadding(r *wire.Reader, o Options) {
	p, size := r.Peek(), minChallengeResponse-r.Offset()
	isCut := o.Strict && len(p) > 0 && len(p) < size
	if (len(p) == size || isCut) && len(bytes.Trim(p, "\x00")) == 0 {
		r.Skip(size, "padding")
	}
	decodeRest(r, o, "padding")
}

// minChallengeResponse is the size to which a challenge response is padded:
// qstat reads a shorter one as 0 or ignores it.
const minChallengeResponse = 12
