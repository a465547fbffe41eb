package wzjson

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// Goodbye takes a game off the list of a lobby. It may be answered by an [Ack] or
// an [Error].
//
//	"query":{"command":"goodbye","id":...}
type Goodbye struct {
	ID            string                     // of 1 to MaxID bytes, chosen by the lobby
	Extra         map[string]json.RawMessage // members of the query that are not known
	EnvelopeExtra map[string]json.RawMessage // members beside version and query
	RootExtra     map[string]json.RawMessage // members beside lobbyquery
}

var goodbyeMembers = [...]string{"command", "id"}

// ParseGoodbye reads a [Goodbye].
func ParseGoodbye(b []byte) (Goodbye, error) { return Options{}.ParseGoodbye(b) }

// ParseGoodbye reads a [Goodbye].
func (o Options) ParseGoodbye(b []byte) (Goodbye, error) {
	r := wire.NewReader(b)
	var m Goodbye
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return Goodbye{}, err
	}
	return m, nil
}

// ExplainGoodbye accounts for every byte of a [Goodbye].
func ExplainGoodbye(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Goodbye", b, func(r *wire.Reader) { new(Goodbye).decode(r, Options{}) })
}

func (m *Goodbye) decode(r *wire.Reader, o Options) {
	j := wire.NewJSON(r)
	e := openEnvelope(r, &j, o, &m.EnvelopeExtra, &m.RootExtra)
	for e.query() {
		q := j.Object(goodbyeMembers[:], len(goodbyeMembers), &m.Extra)
		for q.Next() {
			switch q.Name() {
			case "command":
				decodeCommand(&j, CommandGoodbye)
			case "id":
				m.ID = decodeID(&j)
			}
		}
	}
}

// AppendBinary appends the JSON object to b. It fails if ID is empty, too long or
// not UTF-8, or the whole is too long.
func (m Goodbye) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	appendStart(&w, CommandGoodbye)
	appendID(&w, m.ID)
	w.JSONExtra(m.Extra, goodbyeMembers[:])
	return finish(&w, m.EnvelopeExtra, m.RootExtra)
}

// MarshalBinary returns the JSON object.
func (m Goodbye) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseGoodbye] does.
func (m *Goodbye) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseGoodbye(b)
	return err
}
