package wztext

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// An Error answers a request that the lobby refuses. It is ours: the proposal
// has no failures. Clients should take an [Unknown] answer as one, too.
//
//	ERROR [TAB text] LF
type Error struct {
	Text string // for people; "" is not sent
}

// ParseError reads an [Error].
func ParseError(b []byte) (Error, error) { return Options{}.ParseError(b) }

// ParseError reads an [Error].
func (o Options) ParseError(b []byte) (Error, error) {
	r := wire.NewReader(b)
	var m Error
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return Error{}, err
	}
	return m, nil
}

// ExplainError accounts for every byte of an [Error].
func ExplainError(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Error", b, func(r *wire.Reader) { new(Error).decode(r, Options{}) })
}

func (m *Error) decode(r *wire.Reader, o Options) {
	l := openLine(r, o)
	m.read(&l)
	r.End()
}

func (m *Error) read(l *line) {
	l.command(wordError)
	m.Text = l.optional("text")
	l.end()
}

// AppendBinary appends the wire form to b. It fails if Text is no column or
// the line is too long.
func (m Error) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Text(wordError)
	if m.Text != "" {
		appendText(&w, "text", m.Text)
	}
	appendEnd(&w, 0)
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m Error) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseError] does.
func (m *Error) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseError(b)
	return err
}
