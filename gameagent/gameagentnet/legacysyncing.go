package gameagentnet

import (
	"context"
	"net/netip"
	"slices"
	"sync"
)

// SetSync replaces SyncFrom and SyncFor. It may be called while the Master serves. Servers
// of masters that are no longer in SyncFrom expire.
func (m *Master) SetSync(from []string, peers []netip.Prefix) {
	m.start()
	m.syncing.set(from, peers)
}

// A syncing has the masters with which a Master exchanges servers.
type syncing struct {
	mu    sync.Mutex
	from  []string
	peers []netip.Prefix
	again chan struct{} // closed when from changes
}

func (s *syncing) set(from []string, peers []netip.Prefix) {
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
func (s *syncing) serves(a netip.Addr) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.peers, func(p netip.Prefix) bool { return p.Contains(a) })
}

// current returns the masters to fetch servers from, and a channel that is closed when they
// change.
func (s *syncing) current() (from []string, again <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.from, s.again
}

// syncAll fetches the servers of all masters of SyncFrom, until ctx is done. A master that
// SetSync does not remove is not fetched sooner because of that.
func (m *Master) syncAll(ctx context.Context) {
	var running sync.WaitGroup
	defer running.Wait()
	cancels := make(map[string]context.CancelFunc)
	for {
		from, again := m.syncing.current()
		for addr, cancel := range cancels {
			if !slices.Contains(from, addr) {
				cancel()
				delete(cancels, addr)
			}
		}
		for _, addr := range from {
			if cancels[addr] == nil {
				fetching, cancel := context.WithCancel(ctx)
				cancels[addr] = cancel
				running.Go(func() { m.syncFrom(fetching, addr) })
			}
		}
		select {
		case <-again:
		case <-ctx.Done():
			for _, cancel := range cancels {
				cancel()
			}
			return
		}
	}
}
