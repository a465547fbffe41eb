package warzonenet

import (
	"cmp"
	"maps"
	"slices"
)

// A viewer is a view of any rows. It receives every change, in order, while the Games is
// locked.
type viewer interface {
	put(e *Entry) // a game is listed or withheld, or has changed; e is the same until remove
	remove(e *Entry)
}

// A view has the games in the form of one protocol: a row for each game, which is made
// when the game changes. After a change, the next request joins the rows to a list. The
// mutex of the Games guards everything except the functions.
//
// Rows are in the order in which their games were opened, except that the last row takes
// the place of a removed one.
type view[R any] struct {
	games   *Games
	row     func(e *Entry) (r R, ok bool) // ok is false if the game is not shown
	join    func(rows []R) []byte         // makes the list of encoded
	changed func(place int)               // is called when a row has changed; may be nil

	rows   []R
	shown  []*Entry       // the games of the rows
	places map[*Entry]int // of the rows; nil if it does not receive changes
	list   []byte         // nil if a row has changed
}

// watchLocked starts to receive changes, before the first list.
func (v *view[R]) watchLocked() {
	if v.places != nil {
		return
	}
	v.places = make(map[*Entry]int)
	g := v.games
	for _, reg := range slices.SortedFunc(maps.Values(g.byID), func(a, b *registration) int {
		return cmp.Or(a.entry.Opened.Compare(b.entry.Opened), a.entry.Key.Compare(b.entry.Key))
	}) {
		g.encodeLocked(&reg.entry) // cannot fail, because it has succeeded before
		v.put(&reg.entry)
	}
	g.viewers = append(g.viewers, v)
}

// close undoes watchLocked. The list must not be requested after that.
func (v *view[R]) close() {
	g := v.games
	defer g.locked()()
	g.viewers = slices.DeleteFunc(g.viewers, func(w viewer) bool { return w == v })
	v.rows, v.shown, v.places, v.list = nil, nil, nil, nil
}

// encoded returns the list. It must not be changed.
func (v *view[R]) encoded() (list []byte) {
	v.read(func(rows []R) {
		if v.list == nil {
			v.list = v.join(rows)
		}
		list = v.list
	})
	return list
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
		v.remove(e)
		return
	}
	place, found := v.places[e]
	if !found {
		place = len(v.rows)
		v.places[e] = place
		v.rows, v.shown = append(v.rows, r), append(v.shown, e)
	}
	v.rows[place] = r
	v.change(place)
}

func (v *view[R]) remove(e *Entry) {
	place, found := v.places[e]
	if !found {
		return
	}
	last := len(v.rows) - 1
	v.rows[place], v.shown[place] = v.rows[last], v.shown[last]
	v.places[v.shown[place]] = place
	delete(v.places, e)
	clear(v.rows[last:])
	clear(v.shown[last:])
	v.rows, v.shown = v.rows[:last], v.shown[:last]
	v.change(place)
	v.change(last)
}

func (v *view[R]) change(place int) {
	if v.list = nil; v.changed != nil {
		v.changed(place)
	}
}
