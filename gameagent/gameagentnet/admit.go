package gameagentnet

// reviewAtOnce bounds the time for which Review holds up the Master.
const reviewAtOnce = 256

// Review asks Admit again about every server: its rules have changed. It does
// not hold up the Master for longer than Admit takes for a few hundred.
func (m *Master) Review() {
	m.start()
	for i, more := 0, true; more; {
		i, more = m.reviewSome(i)
	}
}

// reviewSome reviews servers with numbers from i on. It returns with which to go
// on and whether there are more.
func (m *Master) reviewSome(i int) (next int, more bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	next = min(i+reviewAtOnce, m.servers.Numbers())
	for ; i < next; i++ {
		if m.servers.Has(i) && m.servers.Value(i).place != hidden {
			m.judgeLocked(i)
		}
	}
	return next, next < m.servers.Numbers()
}

// judgeLocked lists or withholds server i, as Admit says.
func (m *Master) judgeLocked(i int) {
	admitted := m.Admit == nil || m.Admit(m.entryLocked(i))
	s := m.servers.Value(i)
	switch {
	case admitted && s.place < 0:
		m.unlistLocked(i)
		s.place = m.roll.add(gameOf(m.servers.Addr(i)), i)
	case !admitted && s.place != withheld:
		m.unlistLocked(i)
		s.place = withheld
		m.withheld++
	}
}
