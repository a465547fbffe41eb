package wzjson

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// Error answers what a lobby does not do. It is a message, not a Go error.
//
//	"query":{"command":"error","message":...}
type Error struct {
	Message       string                     // for people; may be ""
	Extra         map[string]json.RawMessage // members of the query that are not known
	EnvelopeExtra map[string]json.RawMessage // members beside version and query
	RootExtra     map[string]json.RawMessage // members beside lobbyquery
}

var errorMembers = [...]string{"command", "message"}

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
	j := wire.NewJSON(r)
	e := openEnvelope(r, &j, o, &m.EnvelopeExtra, &m.RootExtra)
	for e.query() {
		q := j.Object(errorMembers[:], o.required(commandOnly, len(errorMembers)), &m.Extra)
		for q.Next() {
			switch q.Name() {
			case "command":
				decodeCommand(&j, CommandError)
			case "message":
				m.Message = j.Text()
			}
		}
	}
}

// AppendBinary appends the JSON object to b. It fails if Message is not UTF-8, or
// the whole is too long.
func (m Error) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	appendStart(&w, CommandError)
	appendText(&w, "message", m.Message)
	w.JSONExtra(m.Extra, errorMembers[:])
	return finish(&w, m.EnvelopeExtra, m.RootExtra)
}

// MarshalBinary returns the JSON object.
func (m Error) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseError] does.
func (m *Error) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseError(b)
	return err
}
