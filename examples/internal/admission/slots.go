package admission

import (
	"container/list"
	"context"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/internal/source"
)

// slotsPerProcessor is the number of slots for each processor.
const slotsPerProcessor = 4

// Limits of waiting requests.
const (
	maxWaiting          = 256
	maxWaitingPerClient = 4
	waitTime            = time.Second
)

// slots limits concurrent work. Waiting clients get slots in turn, so that many requests
// of one client do not delay the requests of another.
type slots struct {
	mu      sync.Mutex
	free    int
	waiting int
	clients map[uint64]*queue
	turns   list.List // of *queue
}

// A queue is the waiting requests of a client.
type queue struct {
	client  uint64
	waiters []*waiter
	turn    *list.Element
}

type waiter struct {
	slots int
	taken chan struct{} // closed when it has them
}

// take takes n slots. It returns false if that takes too long, or too many wait.
func (s *slots) take(ctx context.Context, from netip.Addr, n int) bool {
	var client uint64
	if from.IsValid() {
		client = source.Of(from)
	}
	s.mu.Lock()
	if s.waiting == 0 && s.free >= n {
		s.free -= n
		s.mu.Unlock()
		return true
	}
	w := s.queue(client, n)
	s.mu.Unlock()
	if w == nil {
		return false
	}
	limit := time.NewTimer(waitTime)
	defer limit.Stop()
	select {
	case <-w.taken:
		return true
	case <-limit.C:
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-w.taken: // meanwhile
		return true
	default:
		s.remove(s.clients[client], w)
		s.grant() // the next may need fewer slots
		return false
	}
}

// queue adds a waiter, or returns nil if there are too many.
func (s *slots) queue(client uint64, n int) *waiter {
	q := s.clients[client]
	if s.waiting >= maxWaiting || q != nil && len(q.waiters) >= maxWaitingPerClient {
		return nil
	}
	if q == nil {
		if s.clients == nil {
			s.clients = make(map[uint64]*queue)
		}
		q = &queue{client: client}
		q.turn = s.turns.PushBack(q)
		s.clients[client] = q
	}
	w := &waiter{n, make(chan struct{})}
	q.waiters = append(q.waiters, w)
	s.waiting++
	return w
}

func (s *slots) remove(q *queue, w *waiter) {
	q.waiters = slices.DeleteFunc(q.waiters, func(other *waiter) bool { return other == w })
	s.waiting--
	if len(q.waiters) == 0 {
		s.turns.Remove(q.turn)
		delete(s.clients, q.client)
	}
}

// release gives n slots back.
func (s *slots) release(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free += n
	s.grant()
}

// grant gives free slots to waiting requests, one of each client in turn.
func (s *slots) grant() {
	for first := s.turns.Front(); first != nil; first = s.turns.Front() {
		q := first.Value.(*queue)
		w := q.waiters[0]
		if w.slots > s.free {
			return // others do not overtake it
		}
		s.free -= w.slots
		s.turns.MoveToBack(first)
		s.remove(q, w)
		close(w.taken)
	}
}
