package wzjson

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// Update changes fields of a game. Those that are not there stay as they are; see
// Apply of [Fields]. It may be answered by an [Ack] or an [Error].
//
//	"query":{"command":"update","id":...,"name":...,"map":...,"tech":...,"players":...}
type Update struct {
	ID            string                     // of 1 to MaxID bytes, chosen by the lobby
	Fields        Fields                     // any of those of an Add; unknown members of the query are its Extra
	EnvelopeExtra map[string]json.RawMessage // members beside version and query
	RootExtra     map[string]json.RawMessage // members beside lobbyquery
}

var updateMembers = [...]string{"command", "id", "name", "map", "tech", "players"}

// ParseUpdate reads an [Update].
func ParseUpdate(b []byte) (Update, error) { return Options{}.ParseUpdate(b) }

// ParseUpdate reads an [Update].
func (o Options) ParseUpdate(b []byte) (Update, error) {
	r := wire.NewReader(b)
	var m Update
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return Update{}, err
	}
	return m, nil
}

// ExplainUpdate accounts for every byte of an [Update].
func ExplainUpdate(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Update", b, func(r *wire.Reader) { new(Update).decode(r, Options{}) })
}

func (m *Update) decode(r *wire.Reader, o Options) {
	j := wire.NewJSON(r)
	e := openEnvelope(r, &j, o, &m.EnvelopeExtra, &m.RootExtra)
	for e.query() {
		q := j.Object(updateMembers[:], withID, &m.Fields.Extra)
		for q.Next() {
			switch q.Name() {
			case "command":
				decodeCommand(&j, CommandUpdate)
			case "id":
				m.ID = decodeID(&j)
			case "name", "map", "tech", "players":
				m.Fields.decode(&j, o, q.Name())
			}
		}
	}
}

// AppendBinary appends the JSON object to b. It fails if ID is empty, too long or
// not UTF-8, a field is not what decoding accepts, or the whole is too long.
func (m Update) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	appendStart(&w, CommandUpdate)
	appendID(&w, m.ID)
	m.Fields.append(&w)
	w.JSONExtra(m.Fields.Extra, updateMembers[:])
	return finish(&w, m.EnvelopeExtra, m.RootExtra)
}

// MarshalBinary returns the JSON object.
func (m Update) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseUpdate] does.
func (m *Update) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseUpdate(b)
	return err
}
