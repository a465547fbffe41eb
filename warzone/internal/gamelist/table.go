package gamelist

// A Viewer receives every change of the listed games, in order, while the List is locked.
type Viewer[E any] interface {
	Put(e *E)    // a game is listed, or has changed; e is the same until Remove
	Remove(e *E) // a game is not listed; it may never have been
}

// A Table holds a row for each game that it shows. Rows are in the order in which their
// games were opened, except that the last row takes the place of a removed one.
type Table[E, R any] struct {
	Rows []R

	row     func(e *E) (r R, ok bool) // makes a row; ok is false if the game is not shown
	changed func(i int)               // called when a row has changed
	shown   []*E                      // the games of the rows
	indexes map[*E]int                // of the rows
}

// NewTable returns a Table without rows.
func NewTable[E, R any](row func(e *E) (r R, ok bool), changed func(i int)) Table[E, R] {
	return Table[E, R]{row: row, changed: changed, indexes: make(map[*E]int)}
}

// IsMade reports whether NewTable has made t.
func (t *Table[E, R]) IsMade() bool { return t.indexes != nil }

// Put adds or changes the row of a game.
func (t *Table[E, R]) Put(e *E) {
	r, ok := t.row(e)
	if !ok {
		t.Remove(e)
		return
	}
	i, found := t.indexes[e]
	if !found {
		i = len(t.Rows)
		t.indexes[e] = i
		t.Rows, t.shown = append(t.Rows, r), append(t.shown, e)
	}
	t.Rows[i] = r
	t.changed(i)
}

// Remove removes the row of a game, if there is one.
func (t *Table[E, R]) Remove(e *E) {
	i, found := t.indexes[e]
	if !found {
		return
	}
	last := len(t.Rows) - 1
	t.Rows[i], t.shown[i] = t.Rows[last], t.shown[last]
	t.indexes[t.shown[i]] = i
	delete(t.indexes, e)
	clear(t.Rows[last:])
	clear(t.shown[last:])
	t.Rows, t.shown = t.Rows[:last], t.shown[:last]
	t.changed(i)
	t.changed(last)
}
