package bombermannet

import (
	"maps"
	"slices"
)

// reviewAtOnce bounds how long Review blocks the ManagementServer.
const reviewAtOnce = 256

// Review calls Admit again for every game server. Call it when the rules of Admit
// have changed. It blocks the ManagementServer only for a few hundred calls of
// Admit at a time.
func (m *ManagementServer) Review() {
	m.once.Do(m.init)
	m.mu.Lock()
	all := slices.Collect(maps.Values(m.members))
	m.mu.Unlock()
	for some := range slices.Chunk(all, reviewAtOnce) {
		m.reviewSome(some)
	}
}

func (m *ManagementServer) reviewSome(some []*member) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range some {
		if s.in == nil {
			continue // neither listed nor withheld
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
