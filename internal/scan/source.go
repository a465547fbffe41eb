package scan

import (
	"iter"
	"net/netip"
	"sync"
)

// readAhead is the number of targets that are read ahead. The scan takes all of them at once.
const readAhead = 256

// A source reads targets in its own goroutine: an iterator may wait for a slow list or
// for the address of a name, which must not delay answers.
//
// A blocked iterator cannot be interrupted. So the goroutine that reads it may outlive
// the scan, until the iterator next yields or ends.
type source struct {
	wake func() // called when there is something to take after take has found nothing

	mu      sync.Mutex
	room    sync.Cond        // signaled when there is room for the reader, or no need to read
	ahead   []netip.AddrPort // read and not taken
	ended   bool             // the iterator has
	stopped bool             // the scan has ended
	missed  bool             // take has found nothing
}

// newSource starts to read targets.
func newSource(targets iter.Seq[netip.AddrPort], wake func()) *source {
	s := &source{wake: wake}
	s.room.L = &s.mu
	go func() {
		defer s.end() // also if the iterator ends its goroutine
		targets(s.add)
	}()
	return s
}

// add waits for room and adds a target. It reports whether the scan needs more.
func (s *source) add(target netip.AddrPort) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.ahead) >= readAhead && !s.stopped {
		s.room.Wait()
	}
	if s.stopped {
		return false
	}
	s.ahead = append(s.ahead, target)
	s.tell()
	return true
}

func (s *source) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	s.tell()
}

// tell wakes the engine if it waits for targets.
func (s *source) tell() {
	if s.missed {
		s.missed = false
		s.wake()
	}
}

// take returns the targets that have been read, if any, and whether more may follow. It
// reuses the memory of used, which it has returned before.
func (s *source) take(used []netip.AddrPort) (targets []netip.AddrPort, more bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	targets, s.ahead = s.ahead, used[:0]
	s.missed = len(targets) == 0
	s.room.Signal()
	return targets, !s.ended
}

// stop lets the iterator end where it next yields.
func (s *source) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = true
	s.room.Signal()
}
