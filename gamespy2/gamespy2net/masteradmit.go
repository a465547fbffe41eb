package gamespy2net

// reviewAtOnce bounds how long Review blocks the Master.
const reviewAtOnce = 256

// Review calls Admit again for every server; call it when the rules of Admit have
// changed. It blocks the Master for no longer than a few hundred calls of Admit
// take.
func (m *Master) Review() {
	m.start()
	for i, more := 0, true; more; {
		i, more = m.reviewSome(i)
	}
}

// reviewSome reviews servers with numbers from i on. It returns the number with
// which to continue and whether there are more.
func (m *Master) reviewSome(i int) (next int, more bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	next = min(i+reviewAtOnce, m.servers.Numbers())
	for ; i < next; i++ {
		if m.servers.Has(i) && m.servers.Value(i).place != unchecked {
			m.judgeLocked(i)
		}
	}
	return next, next < m.servers.Numbers()
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
