package bomberman

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// Unknown is a message of any command, its content unread. Besides commands
// that are not known, [ParseMessage] returns it for known ones the content of
// which is neither an object nor null: a group of programs in Java sends texts
// and arrays.
type Unknown struct {
	Command       string
	Content       json.RawMessage            // any value, verbatim; nil is none
	EnvelopeExtra map[string]json.RawMessage // members beside command and content
}

// ParseUnknown reads a message of any command as an [Unknown].
func ParseUnknown(payload []byte) (Unknown, error) { return Options{}.ParseUnknown(payload) }

// ParseUnknown reads a message of any command as an [Unknown].
func (o Options) ParseUnknown(payload []byte) (Unknown, error) {
	r := wire.NewReader(payload)
	var m Unknown
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return Unknown{}, err
	}
	return m, nil
}

// ExplainUnknown accounts for every byte of an [Unknown].
func ExplainUnknown(payload []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Unknown", payload, func(r *wire.Reader) { new(Unknown).decode(r, Options{}) })
}

func (m *Unknown) decode(r *wire.Reader, o Options) {
	j := wire.NewJSON(r)
	e := openEnvelope(r, &j, o, "", bare, &m.EnvelopeExtra)
	for e.Next() {
		switch e.Name() {
		case "command":
			m.Command = j.Text()
		case "content":
			object := j.Peek() == '{'
			m.Content = j.Raw()
			if o.Strict && !object {
				j.Invalid()
			}
		}
	}
	j.End()
}

// AppendBinary appends the JSON object to b. It fails if Command is not UTF-8,
// Content is not a JSON value, or the whole is too long.
func (m Unknown) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Text(`{"command":`)
	w.JSONText("command", m.Command)
	if m.Content != nil {
		w.Text(`,"content":`)
		w.JSONRaw("content", m.Content)
	}
	return finish(&w, m.EnvelopeExtra)
}

// MarshalBinary returns the JSON object.
func (m Unknown) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads payload as [ParseUnknown] does.
func (m *Unknown) UnmarshalBinary(payload []byte) (err error) {
	*m, err = ParseUnknown(payload)
	return err
}
