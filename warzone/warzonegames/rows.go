package warzonegames

import (
	"cmp"
	"maps"
	"slices"
)

// A viewer is a Rows of any rows. It receives every change, in order, while the Games is
// locked.
type viewer interface {
	put(e *Entry) // a game is listed or withheld, or has changed; e is the same until remove
	remove(e *Entry)
}

// Rows has the games in the form of one protocol: a row for each game, which is made when
// the game changes. It is for lobbies and for programs that show the games. All methods may
// be called at any time; fields must not change once they are used.
//
// Rows are in the order in which their games were opened, except that the last row takes
// the place of a removed one.
type Rows[R any] struct {
	Games *Games

	// Row makes the row of a game. If ok is false, the game is not shown. The Games is
	// locked meanwhile, so Row must be quick, and must not call the Games.
	Row func(e *Entry) (r R, ok bool)

	// Join makes the list that List returns. It may change the rows. If it returns nil,
	// List returns the last list and calls Join again next time.
	Join func(rows []R) []byte

	changed func(place int) // is called when a row has changed; may be nil

	rows   []R
	shown  []*Entry       // the games of the rows
	places map[*Entry]int // of the rows; nil if it does not receive changes
	list   []byte         // as last joined
	joined bool           // list has all changes
}

// watchLocked starts to receive changes, before the first list.
func (v *Rows[R]) watchLocked() {
	if v.places != nil {
		return
	}
	v.places = make(map[*Entry]int)
	g := v.Games
	for _, reg := range slices.SortedFunc(maps.Values(g.byID), func(a, b *registration) int {
		return cmp.Or(a.entry.Opened.Compare(b.entry.Opened), a.entry.Key.Compare(b.entry.Key))
	}) {
		g.encodeLocked(&reg.entry) // cannot fail, because it has succeeded before
		v.put(&reg.entry)
	}
	g.viewers = append(g.viewers, v)
}

// Close forgets the rows, so that changes of games no longer update them. The other methods
// must not be called after that.
func (v *Rows[R]) Close() {
	g := v.Games
	defer g.locked()()
	g.viewers = slices.DeleteFunc(g.viewers, func(w viewer) bool { return w == v })
	v.rows, v.shown, v.places, v.list = nil, nil, nil, nil
}

// List returns the list of all rows, which Join makes again only after a change. It must
// not be changed.
func (v *Rows[R]) List() (list []byte) {
	v.Read(func(rows []R) {
		if !v.joined {
			if b := v.Join(rows); b != nil {
				v.list, v.joined = b, true
			}
		}
		list = v.list
	})
	return list
}

// Read calls f with the rows while the Games is locked. The function must not keep
// or change the rows, nor call the Games.
func (v *Rows[R]) Read(f func(rows []R)) {
	defer v.Games.locked()()
	v.watchLocked()
	f(v.rows)
}

func (v *Rows[R]) put(e *Entry) {
	r, ok := v.Row(e)
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

func (v *Rows[R]) remove(e *Entry) {
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

func (v *Rows[R]) change(place int) {
	v.joined = false
	if v.changed != nil {
		v.changed(place)
	}
}
