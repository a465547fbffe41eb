package gamelist

// Rows holds the games in the form of one protocol: a row for each game, made when the game
// changes. All methods may be called at any time; fields must not change once they are
// used.
type Rows[E, R any] struct {
	Games List[E]

	// Row makes the row of a game. If ok is false, the game is not shown. The Games is
	// locked meanwhile, so Row must be quick, and must not call the Games.
	Row func(e *E) (r R, ok bool)

	// Join makes the list that List returns. It may change the rows. If it returns nil,
	// List returns the last list and calls Join again next time.
	Join func(rows []R) []byte

	table  Table[E, R] // not made if it does not receive changes
	list   []byte      // as last joined
	joined bool        // list contains all changes
}

// Close forgets the rows, so that changes of games no longer update them. The other methods
// must not be called after that.
func (v *Rows[E, R]) Close() {
	v.Games.Lock()
	defer v.Games.Unlock()
	v.Games.Unwatch(&v.table)
	v.table, v.list = Table[E, R]{}, nil
}

// List returns the list of all rows, which Join makes only after a change. It must not be
// changed.
func (v *Rows[E, R]) List() (list []byte) {
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
func (v *Rows[E, R]) Read(f func(rows []R)) {
	v.Games.Lock()
	defer v.Games.Unlock()
	if !v.table.IsMade() {
		v.table = NewTable(v.Row, func(int) { v.joined = false })
		v.Games.Watch(&v.table)
	}
	f(v.table.Rows)
}
