package wzbin

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// An Error answers a request that the lobby refuses. It is ours: the proposal
// has no failures. Clients should take an [Unknown] answer as one, too.
//
//	08 size [text]
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
	m.read(r, o)
	r.End()
}

func (m *Error) read(r *wire.Reader, o Options) {
	f := openFrame(r, o, CommandError)
	m.Text = f.optional("text")
	f.end()
}

// AppendBinary appends the wire form to b. It fails if Text is not text or too
// long.
func (m Error) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	at := appendHeader(&w, CommandError)
	if m.Text != "" {
		appendText(&w, "text", m.Text)
	}
	w.SetSize8(at, "size")
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m Error) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseError] does.
func (m *Error) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseError(b)
	return err
}
