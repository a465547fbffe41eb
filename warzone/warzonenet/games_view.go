package warzonenet

import (
	"cmp"
	"net/netip"
	"slices"
)

// A viewer keeps the games in its own form. It receives every change, in order,
// while the Games is locked.
type viewer interface {
	put(e *Entry) // a game is listed or withheld at e.Key, or has changed
	remove(key netip.AddrPort)
}

// A view has the games in the form of a proposal: a row for each game, which is
// encoded when the game changes. After a change, the next request joins the rows
// to a list. The mutex of the Games guards everything except the functions.
//
// As in the lists of a Lobby, rows are in the order in which their games were
// opened, except that the last row takes the place of a removed one.
type view[R any] struct {
	games *Games
	row   func(e *Entry) (r R, ok bool) // ok is false if the game is not shown
	join  func(rows []R) []byte         // makes a list

	rows   []R
	keys   []netip.AddrPort       // of the rows
	places map[netip.AddrPort]int // of the keys; nil if it does not receive changes
	list   []byte                 // nil if a row has changed
}

// watchLocked starts to receive changes, before the first list.
func (v *view[R]) watchLocked() {
	if v.places == nil {
		v.places = make(map[netip.AddrPort]int)
		v.games.watchLocked(v)
	}
}

// watchLocked sends a viewer all games, and from now on the changes.
func (g *Games) watchLocked(v viewer) {
	all := make([]*registration, 0, len(g.byID))
	for _, reg := range g.byID {
		all = append(all, reg)
	}
	slices.SortFunc(all, func(a, b *registration) int {
		return cmp.Or(a.entry.Opened.Compare(b.entry.Opened), a.entry.Key.Compare(b.entry.Key))
	})
	for _, reg := range all {
		v.put(&reg.entry)
	}
	g.viewers = append(g.viewers, v)
}

// unwatchLocked ends the changes for a viewer.
func (g *Games) unwatchLocked(v viewer) {
	g.viewers = slices.DeleteFunc(g.viewers, func(w viewer) bool { return w == v })
}

// close undoes watchLocked. The list must not be requested after that.
func (v *view[R]) close() {
	defer v.games.locked()()
	v.games.unwatchLocked(v)
	v.rows, v.keys, v.places, v.list = nil, nil, nil, nil
}

// encoded returns the list. It must not be changed.
func (v *view[R]) encoded() []byte {
	defer v.games.locked()()
	v.watchLocked()
	if v.list == nil {
		v.list = v.join(v.rows)
	}
	return v.list
}

// read calls f with the rows while the Games is locked. The function must not keep
// or change the rows, nor call the Games.
func (v *view[R]) read(f func(rows []R)) {
	defer v.games.locked()()
	v.watchLocked()
	f(v.rows)
}

func (v *view[R]) put(e *Entry) {
	r, ok := v.row(e)
	if !ok || e.Withheld {
		v.remove(e.Key)
		return
	}
	v.list = nil
	if i, found := v.places[e.Key]; found {
		v.rows[i] = r
		return
	}
	v.places[e.Key] = len(v.rows)
	v.rows = append(v.rows, r)
	v.keys = append(v.keys, e.Key)
}

func (v *view[R]) remove(key netip.AddrPort) {
	i, found := v.places[key]
	if !found {
		return
	}
	v.list = nil
	last := len(v.rows) - 1
	v.rows[i], v.keys[i] = v.rows[last], v.keys[last]
	v.places[v.keys[i]] = i
	delete(v.places, key)
	clear(v.rows[last:])
	v.rows, v.keys = v.rows[:last], v.keys[:last]
}
