package gamespy2net

// gameNamed returns the game with a name, or nil if it is not in Games.
func (m *Master) gameNamed(name string) *gameTable {
	m.start()
	return m.games[name]
}

// snapshot appends all listings of a game. It also returns the position from which
// changesSince continues without a gap.
func (m *Master) snapshot(g *gameTable, dst []*listing) (all []*listing, position uint64) {
	defer m.lock()()
	return append(dst, g.listings...), g.changed
}

// changesSince appends the changes in the list of a game after a position, oldest
// first, and returns the position after them. If there were more than maxChanges,
// ok is false, and the whole list must be read again.
func (m *Master) changesSince(g *gameTable, position uint64, dst []change) (changes []change, next uint64, ok bool) {
	defer m.lock()()
	changes, ok = g.since(position, dst)
	return changes, g.changed, ok
}

// changed returns a channel that is closed at the next change in the list of a game.
// To miss none, call it before changesSince.
func (m *Master) changed(g *gameTable) <-chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	if g.wake == nil {
		g.wake = make(chan struct{})
	}
	return g.wake
}
