package wzjson

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// List asks a lobby for games. It is answered by a [ListAck] or an [Error].
//
//	"query":{"command":"list","filter":[{...},...]}
type List struct {
	Filter        []Fields                   // see Match; nil is none
	Extra         map[string]json.RawMessage // members of the query that are not known
	EnvelopeExtra map[string]json.RawMessage // members beside version and query
	RootExtra     map[string]json.RawMessage // members beside lobbyquery
}

var listMembers = [...]string{"command", "filter"}

// ParseList reads a [List].
func ParseList(b []byte) (List, error) { return Options{}.ParseList(b) }

// ParseList reads a [List].
func (o Options) ParseList(b []byte) (List, error) {
	r := wire.NewReader(b)
	var m List
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return List{}, err
	}
	return m, nil
}

// ExplainList accounts for every byte of a [List].
func ExplainList(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "List", b, func(r *wire.Reader) { new(List).decode(r, Options{}) })
}

func (m *List) decode(r *wire.Reader, o Options) {
	j := wire.NewJSON(r)
	e := openEnvelope(r, &j, o, &m.EnvelopeExtra, &m.RootExtra)
	for e.query() {
		q := j.Object(listMembers[:], commandOnly, &m.Extra)
		for q.Next() {
			switch q.Name() {
			case "command":
				decodeCommand(&j, CommandList)
			case "filter":
				a := j.Array()
				m.Filter = make([]Fields, 0, a.Room(minFields))
				for a.Next() {
					var f Fields
					f.decodeObject(&j, o)
					m.Filter = append(m.Filter, f)
				}
			}
		}
	}
}

// AppendBinary appends the JSON object to b. It fails if a field of the filter
// is not what decoding accepts, or the whole is too long.
func (m List) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	appendStart(&w, CommandList)
	if m.Filter != nil {
		w.JSONName("filter")
		w.Text(`[`)
		for i, f := range m.Filter {
			if i > 0 {
				w.Text(`,`)
			}
			w.In("lobbyquery.query.filter", i)
			f.appendObject(&w)
		}
		w.Text(`]`)
		w.In("lobbyquery.query", -1)
	}
	w.JSONExtra(m.Extra, listMembers[:])
	return finish(&w, m.EnvelopeExtra, m.RootExtra)
}

// MarshalBinary returns the JSON object.
func (m List) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseList] does.
func (m *List) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseList(b)
	return err
}

// Match tells whether g is asked for: it is if one element of the filter
// matches, or if there are none.
func (m List) Match(g Game) bool {
	for _, f := range m.Filter {
		if f.Match(g) {
			return true
		}
	}
	return len(m.Filter) == 0
}
