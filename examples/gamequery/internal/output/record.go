package output

import (
	"bytes"
	"encoding/json"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
)

// A Record contains the members that -json prints for a server, for sorting, filters, templates and
// CSV. It lacks unknown members, the version of the schema, the target of a list, and the answer of
// the protocol. Values are of type string, int, float64, bool, Record or []Record.
type Record map[string]any

// rttAlias is another name for the member rtt, familiar to players.
const rttAlias = "ping"

// record returns the members of a server.
func (a Answer) record() (Record, error) {
	a.Message = nil
	text, err := a.line()
	if err != nil {
		return nil, err
	}
	var members map[string]any
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&members); err != nil {
		return nil, err
	}
	delete(members, "schema")
	delete(members, "target")
	r := asRecord(members).(Record)
	if rtt, ok := r["rtt"]; ok {
		r[rttAlias] = rtt
	}
	return r, nil
}

// asRecord converts a JSON value to the form of records. Lists in the schema contain
// only objects or only texts.
func asRecord(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return int(n)
		}
		f, _ := v.Float64() // rtt, which line has written
		return f
	case map[string]any:
		r := Record{}
		for name, member := range v {
			r[name] = asRecord(member)
		}
		return r
	case []any:
		if len(v) > 0 {
			if _, ok := v[0].(string); ok {
				return listOf[string](v)
			}
		}
		return listOf[Record](v)
	}
	return v
}

func listOf[T any](list []any) []T {
	all := make([]T, len(list))
	for i, item := range list {
		all[i], _ = asRecord(item).(T)
	}
	return all
}

// FullRecord returns a record with every member known. Its values have the types of all
// records.
func FullRecord() (Record, error) {
	r, err := Answer{
		Protocol: "sqp",
		Query:    netip.MustParseAddrPort("192.0.2.1:25601"),
		Given:    25600,
		View: lobbywire.View{
			Name: "name", Game: "game", Map: "map", Mode: "mode", Version: "version", Host: "192.0.2.1", Port: 25600,
			Players: new(1), Bots: new(1), Max: new(1), Password: new(true),
			Mods: []string{"mod"}, Spectators: new(1), MaxSpectators: new(1),
			Roster: []lobbywire.Player{{Name: "name", Score: new(1), Ping: new(1), Team: "team", Bot: new(true),
				Kills: new(1), Deaths: new(1), Rules: []lobbywire.Rule{{Key: "key", Value: "value"}}}},
			Teams: []lobbywire.Team{{Name: "name", Score: new(1)}},
			Rules: []lobbywire.Rule{{Key: "key", Value: "value"}},
		},
		RTT: 1500 * time.Microsecond, Attempts: 1, Lacks: "packets", ID: "id",
	}.record()
	if err != nil {
		return nil, err
	}
	r["error"] = Record{"code": "other", "message": "message"}
	return r, nil
}
