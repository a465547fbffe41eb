package gamespy2net

// Review calls Admit again for every server. Call it when the rules of Admit have
// changed. It blocks the Master only for a few hundred calls of Admit at a time.
func (m *Master) Review() {
	m.start()
	m.servers.Each(m.lock, func(i int) {
		if m.servers.Value(i).place != unchecked {
			m.judgeLocked(i)
		}
	})
}

// judgeLocked lists or withholds server i, as Admit decides.
func (m *Master) judgeLocked(i int) {
	admitted := m.Admit == nil || m.Admit(m.entryLocked(i))
	s := m.servers.Value(i)
	switch {
	case admitted && s.place < 0:
		m.unlistLocked(i)
		s.place = s.game.add(s.listing, i)
		m.listed++
	case !admitted && s.place != withheld:
		m.unlistLocked(i)
		s.place = withheld
		m.withheld++
	}
}
