package bombermannet

import "slices"

// reviewAtOnce bounds the time for which Review holds up the others.
const reviewAtOnce = 256

// Review asks Admit again about every game server: its rules have changed. It
// does not hold up the ManagementServer for longer than Admit takes for a few
// hundred.
func (m *ManagementServer) Review() {
	m.once.Do(m.init)
	for some := range slices.Chunk(m.everyone(), reviewAtOnce) {
		m.reviewSome(some)
	}
}

// everyone returns the members that are listed or withheld.
func (m *ManagementServer) everyone() (all []*member) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range m.list.rolls() {
		all = append(all, r.members...)
	}
	return all
}

func (m *ManagementServer) reviewSome(some []*member) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range some {
		if s.on == nil { // it has gone since
			continue
		}
		if was := s.Withheld; m.judgeLocked(s) != was {
			m.list.set(s, s.encoded)
		}
	}
}

// listLocked lists a member with a new entry or withholds it, as Admit says.
func (m *ManagementServer) listLocked(s *member, encoded []byte) {
	m.judgeLocked(s)
	m.list.set(s, encoded)
}

// judgeLocked asks Admit about a member.
func (m *ManagementServer) judgeLocked(s *member) (withheld bool) {
	s.Withheld = m.Admit != nil && !m.Admit(s.now())
	return s.Withheld
}
