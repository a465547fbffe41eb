package warzonegames

import "time"

// Flush sends all pending changes to the Store, for example before the program ends.
// Changes wait because the Store receives each game at most once a second.
func (g *Games) Flush() {
	s := g.lock()
	defer s.unlock()
	for _, reg := range s.outbox.Drain() {
		if s.isShared(reg) {
			s.store(reg)
		}
	}
}

// share sends a game of this node to the Store, now or later.
func (s *state) share(reg *registration) {
	if s.games.Store == nil {
		return
	}
	if s.outbox.Offer(reg, reg.shared, s.now) {
		s.store(reg)
	}
	s.outbox.Later(s.games.shareWaiting)
}

// shareWaiting sends the waiting games to the Store.
func (g *Games) shareWaiting() {
	s := g.lock()
	defer s.unlock()
	due := s.outbox.Due(s.now, func(reg *registration) (time.Time, bool) { return reg.shared, s.isShared(reg) })
	for _, reg := range due {
		s.store(reg)
	}
	s.outbox.Later(g.shareWaiting)
}

// isShared reports whether a game belongs to this node and has not been removed.
func (s *state) isShared(reg *registration) bool { return !reg.remote && s.find(reg.entry.ID) == reg }

// store sends a game of this node to the Store.
func (s *state) store(reg *registration) {
	e := reg.entry
	if e.Expires.IsZero() {
		e.Expires = s.now.Add(lease)
	}
	if e.Published() {
		e.HTTP.Announced = nil
	}
	reg.shared, reg.stored = s.now, true
	s.games.Store.Put(e)
}

// unshare removes a game of this or another node from the Store.
func (s *state) unshare(reg *registration) {
	if reg.stored {
		reg.stored = false
		s.games.Store.Remove(reg.entry.ID)
	}
}
