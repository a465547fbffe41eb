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
	changed func(i int)                   // is called when a row has changed

	rows    []R
	shown   []*Entry       // the games of the rows
	indexes map[*Entry]int // of the rows
}

func makeTable[R any](row func(e *Entry) (r R, ok bool), changed func(i int)) table[R] {
	return table[R]{row: row, changed: changed, indexes: make(map[*Entry]int)}
}

func (t *table[R]) isMade() bool { return t.indexes != nil }

func (t *table[R]) put(e *Entry) {
	r, ok := t.row(e)
	if !ok || e.Withheld {
		t.remove(e)
		return
	}
	i, found := t.indexes[e]
	if !found {
		i = len(t.rows)
		t.indexes[e] = i
		t.rows, t.shown = append(t.rows, r), append(t.shown, e)
	}
	t.rows[i] = r
	t.changed(i)
}

func (t *table[R]) remove(e *Entry) {
	i, found := t.indexes[e]
	if !found {
		return
	}
	last := len(t.rows) - 1
	t.rows[i], t.shown[i] = t.rows[last], t.shown[last]
	t.indexes[t.shown[i]] = i
	delete(t.indexes, e)
	clear(t.rows[last:])
	clear(t.shown[last:])
	t.rows, t.shown = t.rows[:last], t.shown[:last]
	t.changed(i)
	t.changed(last)
}
