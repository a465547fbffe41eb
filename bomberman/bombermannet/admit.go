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
		m.mu.Lock()
		for _, s := range some {
			if s.in != nil { // listed or withheld
				m.listLocked(s, s.encoded)
			}
		}
		m.mu.Unlock()
	}
}

// listLocked lists a member with a new entry or withholds it, as Admit decides.
func (m *ManagementServer) listLocked(s *member, encoded []byte) {
	s.Withheld = m.Admit != nil && !m.Admit(s.now())
	m.list.set(s, encoded)
}
