package bombermannet

import "slices"

// reviewAtOnce bounds how long Review blocks the ManagementServer.
const reviewAtOnce = 256

// Review calls Admit again for every game server. Call it when the rules of Admit
// have changed. It blocks the ManagementServer only for a few hundred calls of
// Admit at a time.
func (m *ManagementServer) Review() {
	m.once.Do(m.init)
	for some := range slices.Chunk(m.listedAndWithheld(), reviewAtOnce) {
		m.reviewSome(some)
	}
}

// listedAndWithheld returns the members that are listed or withheld.
func (m *ManagementServer) listedAndWithheld() (all []*member) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range m.list.groups() {
		all = append(all, r.members...)
	}
	return all
}

func (m *ManagementServer) reviewSome(some []*member) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range some {
		if s.in == nil { // it has been removed since
			continue
		}
		if was := s.Withheld; m.judgeLocked(s) != was {
			m.list.set(s, s.encoded)
		}
	}
}

// listLocked lists a member with a new entry or withholds it, as Admit decides.
func (m *ManagementServer) listLocked(s *member, encoded []byte) {
	m.judgeLocked(s)
	m.list.set(s, encoded)
}

// judgeLocked calls Admit for a member and reports whether it is withheld.
func (m *ManagementServer) judgeLocked(s *member) (withheld bool) {
	s.Withheld = m.Admit != nil && !m.Admit(s.now())
	return s.Withheld
}
