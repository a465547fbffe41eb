package listcache

import (
	"context"
	"math/rand/v2"
	"time"
)

// A flight is one fetch for all callers that wait for it.
type flight[T any] struct {
	cancel context.CancelFunc

	// The mutex of the cache guards these.
	waiting int  // callers
	ended   bool // with an outcome

	done  chan struct{} // closed when value and err are set
	value T
	err   error
}

// start starts a flight for the list of e, which fetches once it may.
func (c *Cache[T]) start(ctx context.Context, e *entry[T], every time.Duration,
	fetch func(context.Context) (T, error)) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f := &flight[T]{cancel: cancel, done: make(chan struct{})}
	e.flight = f
	go func() {
		defer close(f.done)
		defer cancel()
		for wait := c.begin(e, f, every); wait > 0; wait = c.begin(e, f, every) {
			select {
			case <-time.After(wait):
			case <-ctx.Done():
			}
		}
		if ctx.Err() != nil || f.err != nil {
			return
		}
		f.value, f.err = fetch(ctx)
		c.mu.Lock()
		defer c.mu.Unlock()
		if e.flight == f {
			c.end(e, every)
		}
	}()
}

// begin returns how long f must wait before it may fetch. When it returns 0, the interval
// to the next fetch has started. It also returns 0 if no caller waits for f any more, or if
// the server has failed in the meantime, which ends f with that failure.
func (c *Cache[T]) begin(e *entry[T], f *flight[T], every time.Duration) (wait time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.flight != f {
		return 0
	}
	now, next := time.Now(), e.next
	if every > 0 && e.server.next.After(next) {
		f.err = e.server.failing(now)
		if f.err != nil {
			e.flight = nil
			return 0
		}
		next = e.server.next
	}
	if wait := next.Sub(now); wait > 0 {
		return wait
	}
	e.next = now.Add(every)
	e.server.next = e.next
	return 0
}

// leave ends the wait of a caller for f.
func (c *Cache[T]) leave(e *entry[T], f *flight[T]) {
	c.mu.Lock()
	f.waiting--
	abandoned := f.waiting == 0
	if abandoned && e.flight == f && !f.ended {
		f.cancel()
		e.flight = nil
	}
	c.mu.Unlock()
	if abandoned {
		<-f.done
	}
}

// end keeps the outcome of the flight in progress.
func (c *Cache[T]) end(e *entry[T], every time.Duration) {
	f, s := e.flight, e.server
	f.ended = true
	s.err = f.err
	if f.err == nil {
		s.failures = 0
	} else {
		every = backoff(every, s.failures)
		s.failures++
		s.next = time.Now().Add(every)
	}
	e.next = time.Now().Add(every)
	c.forgetLists(e)
}

// maxBackoff is the longest back-off, without the random part, unless the interval
// itself is longer.
const maxBackoff = time.Minute

// backoff returns the time to the next fetch after a failure that follows a number of
// others.
func backoff(every time.Duration, failures int) time.Duration {
	if every < 0 {
		return every
	}
	wait := every
	for i := 0; i < failures && wait < maxBackoff; i++ {
		wait = min(2*wait, maxBackoff)
	}
	return time.Duration(float64(wait) * (0.75 + 0.5*rand.Float64()))
}
