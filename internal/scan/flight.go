package scan

import (
	"iter"
	"net/netip"
	"time"
)

// A flight is a target that is being queried.
type flight struct {
	hearing
	target    netip.AddrPort // as the caller wrote it
	peer      netip.AddrPort // as its datagrams have it
	attempts  []attempt
	first     [1]attempt // memory of attempts, enough for most flights
	ports     int        // number of ports used
	firstPort int        // index of the first
	exchange  Exchange   // of the attempt that last started or received a datagram
	sent      time.Time  // when the last request was sent for the first time
	rtt       time.Duration
	requests  int
	refused   int   // requests that the system did not send, for a reason that may pass
	refusal   error // of the last of them
	settling  bool  // the answer is complete at the end of this attempt, see Maybe
	repeated  bool  // the last request was sent a second time
	heard     bool  // a datagram has arrived since the last request

	queue      *queue
	prev, next *flight
}

// An attempt still accepts answers after the next one has started.
type attempt struct {
	exchange Exchange
	socket   *socket
	sent     time.Time // when the last request was sent
	lost     time.Time // when a request was sent that is lost if this attempt gets an answer, or zero
	answered bool
	drops    uint64 // dropped of its socket when the attempt started
}

// attemptOn returns the attempt that uses a socket, or nil.
func (f *flight) attemptOn(s *socket) *attempt {
	for i := len(f.attempts) - 1; i >= 0; i-- {
		if f.attempts[i].socket == s {
			return &f.attempts[i]
		}
	}
	return nil
}

// A queue holds flights in the order of their last requests, the oldest first.
type queue struct {
	wait        time.Duration // from the last request of a flight until it is due
	first, last *flight
	len         int
}

func (q *queue) add(f *flight) {
	f.queue, f.prev = q, q.last
	if q.last == nil {
		q.first = f
	} else {
		q.last.next = f
	}
	q.last = f
	q.len++
}

// leave removes f from its queue.
func (f *flight) leave() {
	q := f.queue
	if q == nil {
		return
	}
	if f.prev == nil {
		q.first = f.next
	} else {
		f.prev.next = f.next
	}
	if f.next == nil {
		q.last = f.prev
	} else {
		f.next.prev = f.prev
	}
	f.queue, f.prev, f.next = nil, nil, nil
	q.len--
}

// due removes and yields the flights that are due.
func (q *queue) due(now time.Time) iter.Seq[*flight] {
	return func(yield func(*flight) bool) {
		for f := q.first; f != nil && now.Sub(f.sent) >= q.wait; f = q.first {
			f.leave()
			if !yield(f) {
				return
			}
		}
	}
}
