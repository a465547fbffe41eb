package wzjson

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// Unknown is a message of any command. Its other members are in Extra.
type Unknown struct {
	Command       string
	Extra         map[string]json.RawMessage // members of the query that are not known
	EnvelopeExtra map[string]json.RawMessage // members beside version and query
	RootExtra     map[string]json.RawMessage // members beside lobbyquery
}

var unknownMembers = [...]string{"command"}

// ParseUnknown reads an [Unknown].
func ParseUnknown(b []byte) (Unknown, error) { return Options{}.ParseUnknown(b) }

// ParseUnknown reads an [Unknown].
func (o Options) ParseUnknown(b []byte) (Unknown, error) {
	r := wire.NewReader(b)
	var m Unknown
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return Unknown{}, err
	}
	return m, nil
}

// ExplainUnknown accounts for every byte of an [Unknown].
func ExplainUnknown(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Unknown", b, func(r *wire.Reader) { new(Unknown).decode(r, Options{}) })
}

func (m *Unknown) decode(r *wire.Reader, o Options) {
	j := wire.NewJSON(r)
	e := openEnvelope(r, &j, o, &m.EnvelopeExtra, &m.RootExtra)
	for e.query() {
		q := j.Object(unknownMembers[:], len(unknownMembers), &m.Extra)
		for q.Next() {
			switch q.Name() {
			case "command":
				m.Command = j.Text()
			}
		}
	}
}

// AppendBinary appends the JSON object to b. It fails if a text is not UTF-8, a
// member is not JSON, or the whole is too long.
func (m Unknown) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	appendStart(&w, m.Command)
	w.JSONExtra(m.Extra, unknownMembers[:])
	return finish(&w, m.EnvelopeExtra, m.RootExtra)
}

// MarshalBinary returns the JSON object.
func (m Unknown) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseUnknown] does.
func (m *Unknown) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseUnknown(b)
	return err
}
