package wzjson

import (
	"bytes"
	"encoding/json"
	"maps"

	"github.com/lobbywire/lobbywire/internal/wire/wirejson"
)

// Fields are some of the fields of a [Game]; nil means that a field is missing.
//
//wire:object
type Fields struct {
	Name       *string                    `wire:"name,omitzero"`
	Map        *string                    `wire:"map,omitzero"`
	Tech       *Tech                      `wire:"tech,tech,omitzero"`
	MaxPlayers *int                       `wire:"players,range=1..maxPlayers,omitzero"`
	Extra      map[string]json.RawMessage // unknown members
}

// match reports whether g has the same values in all fields of m. Texts are
// compared byte by byte, and so is the JSON text of unknown members.
func (m Fields) match(g Game) bool {
	if m.Name != nil && *m.Name != g.Name ||
		m.Map != nil && *m.Map != g.Map ||
		m.Tech != nil && *m.Tech != g.Tech ||
		m.MaxPlayers != nil && *m.MaxPlayers != g.MaxPlayers {
		return false
	}
	for name, v := range m.Extra {
		if have, ok := g.Extra[name]; !ok || !bytes.Equal(have, v) {
			return false
		}
	}
	return true
}

// Apply returns g with its fields replaced by those of m; missing fields stay unchanged.
// Members of Extra with the names of fields of a Game are dropped, so a host cannot change
// its address.
func (m Fields) Apply(g Game) Game {
	wirejson.Set(&g.Name, m.Name)
	wirejson.Set(&g.Map, m.Map)
	wirejson.Set(&g.Tech, m.Tech)
	wirejson.Set(&g.MaxPlayers, m.MaxPlayers)
	g.Extra = merged(g.Extra, m.Extra)
	return g
}

// merged returns the members of old and changes, except those with the names of fields of a
// Game.
func merged(old, changes map[string]json.RawMessage) map[string]json.RawMessage {
	if len(changes) == 0 {
		return old
	}
	m := make(map[string]json.RawMessage, len(old)+len(changes))
	maps.Copy(m, old)
	maps.Copy(m, changes)
	for _, name := range gameMembers {
		delete(m, name)
	}
	if len(m) == 0 {
		return nil
	}
	return m
}
