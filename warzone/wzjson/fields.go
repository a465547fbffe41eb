package wzjson

import (
	"bytes"
	"encoding/json"
	"maps"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// Fields are some fields of a [Game]; nil is one that is not there. The wire has
// no null.
type Fields struct {
	Name    *string
	Map     *string
	Tech    *Tech
	Players *int
	Extra   map[string]json.RawMessage // members that are not known
}

var fieldsMembers = [...]string{"name", "map", "tech", "players"}

// minFields is the size of the smallest object, to bound their number.
const minFields = len(`{}`)

// Match tells whether g has the same values in all fields of m. Texts are the
// same if all bytes are, unknown members if they are written the same.
func (m Fields) Match(g Game) bool {
	if m.Name != nil && *m.Name != g.Name ||
		m.Map != nil && *m.Map != g.Map ||
		m.Tech != nil && *m.Tech != g.Tech ||
		m.Players != nil && *m.Players != g.Players {
		return false
	}
	for name, v := range m.Extra {
		if have, ok := g.Extra[name]; !ok || !bytes.Equal(have, v) {
			return false
		}
	}
	return true
}

// Apply returns g with the fields of m in place of its own. Members of Extra that
// a Game has fields for are left out: a host cannot change its address.
func (m Fields) Apply(g Game) Game {
	if m.Name != nil {
		g.Name = *m.Name
	}
	if m.Map != nil {
		g.Map = *m.Map
	}
	if m.Tech != nil {
		g.Tech = *m.Tech
	}
	if m.Players != nil {
		g.Players = *m.Players
	}
	g.Extra = merged(g.Extra, m.Extra)
	return g
}

// merged returns the members of old and changes, but for those that a Game has
// fields for.
func merged(old, changes extras) extras {
	if len(changes) == 0 {
		return old
	}
	m := make(extras, len(old)+len(changes))
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

// decode reads the member called name.
func (m *Fields) decode(j *wire.JSON, o Options, name string) {
	switch name {
	case "name":
		s := j.Text()
		m.Name = &s
	case "map":
		s := j.Text()
		m.Map = &s
	case "tech":
		t := decodeTech(j, o)
		m.Tech = &t
	case "players":
		n := decodePlayers(j)
		m.Players = &n
	}
}

func (m *Fields) decodeObject(j *wire.JSON, o Options) {
	f := j.Object(fieldsMembers[:], 0, &m.Extra)
	for f.Next() {
		m.decode(j, o, f.Name())
	}
}

// append appends the known members.
func (m *Fields) append(w *wire.Writer) {
	if m.Name != nil {
		appendText(w, "name", *m.Name)
	}
	if m.Map != nil {
		appendText(w, "map", *m.Map)
	}
	if m.Tech != nil {
		appendText(w, "tech", string(*m.Tech))
	}
	if m.Players != nil {
		appendPlayers(w, *m.Players)
	}
}

func (m *Fields) appendObject(w *wire.Writer) {
	w.Text(`{`)
	m.append(w)
	w.JSONExtra(m.Extra, fieldsMembers[:])
	w.Text(`}`)
}
