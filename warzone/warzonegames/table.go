package warzonegames

// A viewer is a table of any rows. It receives every change, in order, while the Games is
// locked.
type viewer interface {
	put(e *Entry) // a game is listed or withheld, or has changed; e is the same until remove
	remove(e *Entry)
}

// A table has a row for each game that it shows.
type table[R any] struct {
	row     func(e *Entry) (r R, ok bool) // makes a row; ok is false if the game is not shown
	changed func(place int)               // is called when a row has changed

	rows   []R
	shown  []*Entry       // the games of the rows
	places map[*Entry]int // of the rows
}

func makeTable[R any](row func(e *Entry) (r R, ok bool), changed func(place int)) table[R] {
	return table[R]{row: row, changed: changed, places: make(map[*Entry]int)}
}

func (t *table[R]) isMade() bool { return t.places != nil }

func (t *table[R]) put(e *Entry) {
	r, ok := t.row(e)
	if !ok || e.Withheld {
		t.remove(e)
		return
	}
	place, found := t.places[e]
	if !found {
		place = len(t.rows)
		t.places[e] = place
		t.rows, t.shown = append(t.rows, r), append(t.shown, e)
	}
	t.rows[place] = r
	t.changed(place)
}

func (t *table[R]) remove(e *Entry) {
	place, found := t.places[e]
	if !found {
		return
	}
	last := len(t.rows) - 1
	t.rows[place], t.shown[place] = t.rows[last], t.shown[last]
	t.places[t.shown[place]] = place
	delete(t.places, e)
	clear(t.rows[last:])
	clear(t.shown[last:])
	t.rows, t.shown = t.rows[:last], t.shown[:last]
	t.changed(place)
	t.changed(last)
}
