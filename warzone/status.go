package warzone

import (
	"strconv"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A StatusCode is the result of a request to a lobby.
type StatusCode uint32

// The codes that lobbies send.
const (
	StatusOK            StatusCode = 200
	StatusUpgrade       StatusCode = 400 // accepted, but the client is old
	StatusForbidden     StatusCode = 403
	StatusNotAcceptable StatusCode = 406 // such as a host that cannot be reached, or a bad word
	StatusUnreachable   StatusCode = 408
	StatusServerError   StatusCode = 500
)

// String returns a name or a form such as "status(7)".
func (c StatusCode) String() string {
	switch c {
	case StatusOK:
		return "ok"
	case StatusUpgrade:
		return "upgrade"
	case StatusForbidden:
		return "forbidden"
	case StatusNotAcceptable:
		return "notAcceptable"
	case StatusUnreachable:
		return "unreachable"
	case StatusServerError:
		return "serverError"
	}
	return "status(" + strconv.FormatUint(uint64(c), 10) + ")"
}

// OK reports whether the code is a success. Clients before 2014 accept 200 to
// 299, later ones 200 and 400.
func (c StatusCode) OK() bool { return c/100 == 2 || c == StatusUpgrade }

// A Status is the lobby's answer to [AddGame] and, since 2020, to each [Update]. Since 3.1
// it is also part of a [ListReply]. On the wire, its length precedes the text.
//
//wire:message Response canonical
type Status struct {
	Code StatusCode `wire:"code"`
	Text string     // a greeting or a reason for the user; may have several lines
}

func (m *Status) decode(r *wire.Reader, o Options) {
	m.decodeBlock(r, o)
	r.End()
}

// decodeBlock reads a status. More bytes may follow.
func (m *Status) decodeBlock(r *wire.Reader, o Options) {
	n := m.decodeSize(r)
	r.DecodeTexts(o.Text)
	m.Text = r.Text(n, "text")
}

// decodeSize reads everything before the text and returns its length.
func (m *Status) decodeSize(r *wire.Reader) (n int) {
	m.decodeHeader(r)
	at := r.Offset()
	size := r.Uint32("length")
	if size > MaxStatusText {
		r.Fail(wire.Exceeded(size, MaxStatusText), "length", at)
		return 0
	}
	return int(size)
}

// append fails if Text is longer than [MaxStatusText].
func (m *Status) append(w *wire.Writer) {
	if len(m.Text) > MaxStatusText {
		w.Exceed("text", len(m.Text), MaxStatusText)
		return
	}
	m.appendHeader(w)
	w.Uint32(uint32(len(m.Text)))
	w.Text(m.Text)
}
