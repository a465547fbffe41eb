package wzjson

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// ListAck answers a [List].
//
//	"query":{"command":"list-ack","games":[...]}
type ListAck struct {
	Games         []Game                     // in no order; there may be none
	Extra         map[string]json.RawMessage // members of the query that are not known
	EnvelopeExtra map[string]json.RawMessage // members beside version and query
	RootExtra     map[string]json.RawMessage // members beside lobbyquery
}

var listAckMembers = [...]string{"command", "games"}

// ParseListAck reads a [ListAck].
func ParseListAck(b []byte) (ListAck, error) { return Options{}.ParseListAck(b) }

// ParseListAck reads a [ListAck].
func (o Options) ParseListAck(b []byte) (ListAck, error) {
	r := wire.NewReader(b)
	var m ListAck
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return ListAck{}, err
	}
	return m, nil
}

// ExplainListAck accounts for every byte of a [ListAck].
func ExplainListAck(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "ListAck", b, func(r *wire.Reader) { new(ListAck).decode(r, Options{}) })
}

func (m *ListAck) decode(r *wire.Reader, o Options) {
	j := wire.NewJSON(r)
	e := openEnvelope(r, &j, o, &m.EnvelopeExtra, &m.RootExtra)
	for e.query() {
		q := j.Object(listAckMembers[:], len(listAckMembers), &m.Extra)
		for q.Next() {
			switch q.Name() {
			case "command":
				decodeCommand(&j, CommandListAck)
			case "games":
				a := j.Array()
				m.Games = make([]Game, 0, a.Room(minGame))
				for a.Next() {
					var g Game
					g.decode(&j, o)
					m.Games = append(m.Games, g)
				}
			}
		}
	}
}

// AppendBinary appends the JSON object to b. It fails if a field of a game is
// not what decoding accepts, or the whole is too long.
func (m ListAck) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	appendStart(&w, CommandListAck)
	w.Text(`,"games":[`)
	for i, g := range m.Games {
		if i > 0 {
			w.Text(`,`)
		}
		w.In("lobbyquery.query.games", i)
		g.append(&w)
	}
	w.Text(`]`)
	w.In("lobbyquery.query", -1)
	w.JSONExtra(m.Extra, listAckMembers[:])
	return finish(&w, m.EnvelopeExtra, m.RootExtra)
}

// MarshalBinary returns the JSON object.
func (m ListAck) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseListAck] does.
func (m *ListAck) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseListAck(b)
	return err
}
