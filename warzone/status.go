package warzone

import (
	"strconv"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A StatusCode tells how a lobby took what it was sent.
type StatusCode uint32

// The codes that lobbies send.
const (
	StatusOK            StatusCode = 200
	StatusUpgrade       StatusCode = 400 // accepted, but the client is old
	StatusForbidden     StatusCode = 403
	StatusNotAcceptable StatusCode = 406 // as a host that cannot be reached, or a bad word
	StatusUnreachable   StatusCode = 408
	StatusServerError   StatusCode = 500
)

// String returns a name or, as an example, "status(7)".
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

// OK tells whether the code is a success: to clients before 2014 all from 200
// to 299 are, to later ones 200 and 400.
func (c StatusCode) OK() bool { return c/100 == 2 || c == StatusUpgrade }

// A Status is the lobby's answer to [AddGame] and, since 2020, to each
// [Update]; since 3.1 it is also part of a [ListReply]. Big-endian:
//
//	offset  size  field
//	0       4     code
//	4       4     length, of the text
//	8       n     text
type Status struct {
	Code StatusCode
	Text string // for the user: a greeting or a reason; may have several lines
}

// ParseStatus reads a [Status].
func ParseStatus(b []byte) (Status, error) { return Options{}.ParseStatus(b) }

// ParseStatus reads a [Status].
func (o Options) ParseStatus(b []byte) (Status, error) {
	r := wire.NewReader(b)
	var m Status
	m.decode(&r, o)
	r.End()
	if err := r.Err(proto); err != nil {
		return Status{}, err
	}
	return m, nil
}

// ExplainStatus accounts for every byte of a [Status].
func ExplainStatus(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Status", b, func(r *wire.Reader) {
		new(Status).decode(r, Options{})
		r.End()
	})
}

func (m *Status) decode(r *wire.Reader, o Options) {
	n := m.decodeHeader(r, o)
	m.Text = r.Text(n, "text")
}

// decodeHeader reads all but the text, the length of which it returns.
func (m *Status) decodeHeader(r *wire.Reader, o Options) (n int) {
	m.Code = StatusCode(r.Uint32("code"))
	at := r.Offset()
	size := r.Uint32("length")
	if size > o.maxStatusText() {
		r.Fail(lobbywire.ErrTooLarge, "length", at)
		return 0
	}
	return int(size)
}

// AppendBinary appends the wire form to b. It fails if Text is longer than
// [MaxStatusText].
func (m Status) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	m.append(&w)
	return w.Finish(proto)
}

func (m *Status) append(w *wire.Writer) {
	if len(m.Text) > MaxStatusText {
		w.Fail(lobbywire.ErrTooLarge, "text")
		return
	}
	w.Uint32(uint32(m.Code))
	w.Uint32(uint32(len(m.Text)))
	w.Text(m.Text)
}

// MarshalBinary returns the wire form.
func (m Status) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseStatus] does.
func (m *Status) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseStatus(b)
	return err
}
