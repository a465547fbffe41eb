package udp

import (
	"sync"
	"sync/atomic"
	"time"
)

// refreshEvery is the minimum time between two calls of Refresh.
const refreshEvery = 100 * time.Millisecond

// demand decides when Refresh is due.
type demand struct {
	since time.Time
	mu    sync.Mutex   // held during Refresh
	due   atomic.Int64 // nanoseconds after since; 0 before the first call
}

// isStateless reports whether Refresh has yet to be called for the first time.
func (s *Server) isStateless() bool { return s.Refresh != nil && s.due.Load() == 0 }

// Demand calls Refresh if the last call ended long enough ago: [refreshEvery], and as long
// as that call took. It is for requests that get an answer, and for the first datagram. One
// goroutine at a time calls Refresh; others do not wait for it, except for the first call,
// before which there is no state.
func (s *Server) Demand(now time.Time) {
	d := &s.demand
	due := d.due.Load()
	switch {
	case s.Refresh == nil || due > int64(now.Sub(d.since)):
		return
	case due == 0:
		d.mu.Lock()
	case !d.mu.TryLock():
		return
	}
	defer d.mu.Unlock()
	if d.due.Load() != due {
		return // another goroutine has called it
	}
	began := time.Since(d.since)
	defer func() { // also if a caller of Respond recovers from a panic of Refresh
		ended := time.Since(d.since)
		d.due.Store(int64(ended + max(refreshEvery, ended-began)))
	}()
	s.Refresh()
}
