package web

import (
	"cmp"
	"encoding/json"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// server is an Entry in the API and on the pages.
type server struct {
	ID         string           `json:"id"`
	Family     catalogue.Family `json:"family"`
	Source     string           `json:"source"`
	Node       string           `json:"node"`
	Address    string           `json:"address"`
	Game       string           `json:"game"`
	Name       string           `json:"name"`
	Colours    [][2]string      `json:"colours,omitempty"`
	Map        string           `json:"map"`
	Mode       string           `json:"mode"`
	Version    string           `json:"version"`
	Players    *int             `json:"players,omitempty"`
	MaxPlayers *int             `json:"maxPlayers,omitempty"`

	Spectators    *int `json:"spectators,omitempty"`
	MaxSpectators *int `json:"maxSpectators,omitempty"`

	Since      string          `json:"since"`
	Seen       string          `json:"seen"`
	Verified   bool            `json:"verified"`
	Saved      catalogue.Saved `json:"saved,omitempty"`
	Reach      catalogue.Reach `json:"reach"`
	Quarantine string          `json:"quarantine,omitempty"`
	Official   bool            `json:"official,omitempty"`
	Local      bool            `json:"local,omitempty"`
	Queryable  bool            `json:"queryable"`
	Fields     [][2]string     `json:"fields,omitempty"`
}

// serverOf returns an entry without its fields.
func serverOf(e *catalogue.Entry) server {
	codes := codesOf(e)
	name, colours := styled(codes, e.Name)
	watching, places := -1, -1
	if e.Spectators.Known {
		watching, places = e.Spectators.Now, e.Spectators.Max
	}
	return server{
		ID: e.ID, Family: e.Family, Source: brief(e.Source), Node: brief(e.Node), Address: brief(e.Address),
		Game: brief(e.Game), Name: name, Colours: colours,
		Map: brief(codes.Plain(e.Map)), Mode: brief(codes.Plain(e.Mode)), Version: brief(e.Version),
		Players: known(e.Players), MaxPlayers: known(e.MaxPlayers),
		Spectators: known(watching), MaxSpectators: known(places),
		Since: stamp(e.Since), Seen: stamp(e.Seen),
		Verified: e.Verified, Saved: e.Saved, Reach: cmp.Or(e.Reach, catalogue.Unknown),
		Quarantine: brief(e.Quarantine),
		Official:   e.Official,
		Local:      e.Local,
		Queryable:  e.Query.IsValid() && e.Quarantine == "",
	}
}

// wholeServerOf returns an entry with its fields.
func wholeServerOf(e *catalogue.Entry) server {
	s := serverOf(e)
	for _, f := range e.Fields {
		s.Fields = append(s.Fields, [2]string{Visible(f.Name), Visible(f.Value)})
	}
	return s
}

func known(n int) *int {
	if n < 0 {
		return nil
	}
	return &n
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// encode returns the JSON of one of our types, which always have one.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		return []byte("null")
	}
	return b
}
