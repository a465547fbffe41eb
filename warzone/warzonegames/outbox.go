package warzonegames

import "time"

// shareLocked sends a game of this node to the Store, now or later.
func (g *Games) shareLocked(reg *registration, now time.Time) {
	if g.Store == nil {
		return
	}
	if g.outbox.Offer(reg, reg.shared, now) {
		g.putInLocked(reg, now)
	}
	g.outbox.Later(g.shareWaiting)
}

// shareWaiting sends the waiting games to the Store.
func (g *Games) shareWaiting() {
	now := g.lock()
	defer g.mu.Unlock()
	due := g.outbox.Due(now, func(reg *registration) (time.Time, bool) { return reg.shared, g.isSharedLocked(reg) })
	for _, reg := range due {
		g.putInLocked(reg, now)
	}
	g.outbox.Later(g.shareWaiting)
}

// Flush sends all changes to the Store that wait because it receives each game at most once
// a second, for example before the program ends.
func (g *Games) Flush() {
	now := g.lock()
	defer g.mu.Unlock()
	for _, reg := range g.outbox.Drain() {
		if g.isSharedLocked(reg) {
			g.putInLocked(reg, now)
		}
	}
}

// isSharedLocked reports whether a game is one of this node, and has not been removed.
func (g *Games) isSharedLocked(reg *registration) bool {
	id := reg.entry.ID
	return !reg.remote && (g.byID[id] == reg || g.announced[id] == reg)
}

// putInLocked sends a game of this node to the Store.
func (g *Games) putInLocked(reg *registration, now time.Time) {
	e := reg.entry
	if e.Expires.IsZero() {
		e.Expires = now.Add(lease)
	}
	reg.shared, reg.stored = now, true
	g.Store.Put(e)
}
