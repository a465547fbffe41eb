package wzjson

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// Add puts a game on the list of a lobby. It runs on the machine that sends it,
// at [DefaultPort]. It is answered by an [AddAck] or an [Error].
//
//	"query":{"command":"add","name":...,"map":...,"tech":...,"players":...}
//
// A member whose field is zero is not there.
type Add struct {
	Name          string
	Map           string
	Tech          Tech
	Players       int                        // that the game takes
	Extra         map[string]json.RawMessage // members of the query that are not known
	EnvelopeExtra map[string]json.RawMessage // members beside version and query
	RootExtra     map[string]json.RawMessage // members beside lobbyquery
}

var addMembers = [...]string{"command", "name", "map", "tech", "players"}

// ParseAdd reads an [Add]. Unless Strict, all members but the command may
// be missing.
func ParseAdd(b []byte) (Add, error) { return Options{}.ParseAdd(b) }

// ParseAdd reads an [Add].
func (o Options) ParseAdd(b []byte) (Add, error) {
	r := wire.NewReader(b)
	var m Add
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return Add{}, err
	}
	return m, nil
}

// ExplainAdd accounts for every byte of an [Add].
func ExplainAdd(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Add", b, func(r *wire.Reader) { new(Add).decode(r, Options{}) })
}

func (m *Add) decode(r *wire.Reader, o Options) {
	j := wire.NewJSON(r)
	e := openEnvelope(r, &j, o, &m.EnvelopeExtra, &m.RootExtra)
	for e.query() {
		q := j.Object(addMembers[:], o.required(commandOnly, len(addMembers)), &m.Extra)
		for q.Next() {
			switch q.Name() {
			case "command":
				decodeCommand(&j, CommandAdd)
			case "name":
				m.Name = j.Text()
			case "map":
				m.Map = j.Text()
			case "tech":
				m.Tech = decodeTech(&j, o)
			case "players":
				m.Players = decodePlayers(&j)
			}
		}
	}
}

// AppendBinary appends the JSON object to b. It fails if Players is negative, a
// text is not UTF-8, or the whole is too long.
func (m Add) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	appendStart(&w, CommandAdd)
	appendGame(&w, m.Name, m.Map, m.Tech, m.Players)
	w.JSONExtra(m.Extra, addMembers[:])
	return finish(&w, m.EnvelopeExtra, m.RootExtra)
}

// MarshalBinary returns the JSON object.
func (m Add) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseAdd] does.
func (m *Add) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseAdd(b)
	return err
}

// Game returns the entry of a list that m makes, without Host and Port. Members
// of Extra with their names are left out: the lobby sees where m comes from.
func (m Add) Game() Game {
	return Game{Name: m.Name, Map: m.Map, Tech: m.Tech, Players: m.Players, Extra: merged(nil, m.Extra)}
}
