package gameagentnet

// Review calls Admit again for every server. Call it when the rules of Admit have
// changed. It blocks the Master only for a few hundred calls of Admit at a time.
func (m *Master) Review() {
	m.start()
	m.servers.Each(m.lock, func(i int) {
		if m.servers.Value(i).place != hidden {
			m.judgeLocked(i)
		}
	})
}

// judgeLocked lists or withholds server i, as Admit decides.
func (m *Master) judgeLocked(i int) {
	admitted := m.Admit == nil || m.Admit(m.entryLocked(i))
	s := m.servers.Value(i)
	switch {
	case admitted && !m.isInPlace(s):
		m.unlistLocked(i)
		m.listLocked(i)
	case !admitted && s.place != withheld:
		m.unlistLocked(i)
		s.place = withheld
		m.withheld++
	}
}

// isInPlace reports whether a server is in the lists in which it should be.
func (m *Master) isInPlace(s *registered) bool {
	native := s.heartbeat != "" || s.game.Native
	return (s.place >= 0) == native && s.place != hidden && s.place != withheld && s.in == s.game
}
