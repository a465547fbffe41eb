package gamespy1net

import (
	"net/netip"
	"slices"
	"sync"
)

// syncMasters are the masters that exchange servers with a Master.
type syncMasters struct {
	mu    sync.Mutex
	from  []string
	peers []netip.Prefix
	again chan struct{} // closed when from changes
}

func (s *syncMasters) set(from []string, peers []netip.Prefix) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.peers = slices.Clone(peers)
	if s.again != nil && slices.Equal(s.from, from) {
		return
	}
	s.from = slices.Clone(from)
	if s.again != nil {
		close(s.again)
	}
	s.again = make(chan struct{})
}

// serves reports whether a master may fetch the servers.
func (s *syncMasters) serves(a netip.Addr) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.peers, func(p netip.Prefix) bool { return p.Contains(a) })
}

// current returns the masters to fetch servers from, and a channel that is closed when they
// change.
func (s *syncMasters) current() (from []string, again <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.from, s.again
}
