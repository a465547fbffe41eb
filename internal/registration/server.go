package registration

import (
	"context"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire/internal/lifecycle"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// A Server is the loop behind a protocol's Server that registers at masters, and answers them.
type Server[T Task] struct {
	udp.Server

	running     lifecycle.Server // Run of the registrations
	fromMasters limit.Limiter

	mu    sync.Mutex
	known atomic.Pointer[[]Known[T]] // replaced under mu
}

// A Known is the master of a registration.
type Known[T Task] struct {
	Addr   netip.AddrPort
	Runner *Runner[T]
}

// answersPerSecond is the number of datagrams from masters that a server answers in a second,
// including forged ones, because an answer may be 200 times as long as a challenge. While fewer
// challenges are forged, a forged heartbeat hides the server only until it has answered the
// master's challenge.
const answersPerSecond = 1000

// Start is [udp.Server.Start].
func (s *Server[T]) Start(set func()) *Server[T] {
	s.Server.Start(func() {
		set()
		rate := limit.Rate{PerSecond: answersPerSecond, Burst: answersPerSecond}
		s.fromMasters.Set(limit.Rates{PerSource: rate, Global: rate})
	})
	return s
}

// Masters returns the masters to which the registrations send. The slice must not be changed. It
// takes no lock.
func (s *Server[T]) Masters() []Known[T] {
	if known := s.known.Load(); known != nil {
		return *known
	}
	return nil
}

// Hear records that something has come from an address. The port does not matter, because masters
// query from other ports.
func (s *Server[T]) Hear(from netip.Addr, now time.Time) {
	for _, known := range s.Masters() {
		if known.Addr.Addr() == from {
			known.Runner.hear(now)
		}
	}
}

// AllowMaster reports whether a datagram from the address of a master may be answered.
func (s *Server[T]) AllowMaster(from netip.Addr, now time.Time) bool {
	return s.fromMasters.Allow(from, now)
}

// setMaster sets the master of a registration. One that is not valid means none.
func (s *Server[T]) setMaster(r *Runner[T], addr netip.AddrPort) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := slices.DeleteFunc(slices.Clone(s.Masters()), func(k Known[T]) bool { return k.Runner == r })
	if addr.IsValid() {
		known = append(known, Known[T]{addr, r})
	}
	s.known.Store(&known)
}

// Shutdown ends the Run of every registration, and then Serve; see [udp.Server.Shutdown].
func (s *Server[T]) Shutdown(ctx context.Context) error {
	s.running.Close()
	return s.Server.Shutdown(ctx)
}

// Close ends the Run of every registration, and Serve at once.
func (s *Server[T]) Close() error {
	s.running.Close()
	return s.Server.Close()
}
