package listcache

import (
	"context"
	"math/rand/v2"
	"time"
)

// A flight is one fetch for all callers that wait for it.
type flight[T any] struct {
	cancel  context.CancelFunc
	waiting int // callers; the mutex of the cache guards it

	done  chan struct{} // closed when value and err are set
	value T
	err   error
}

// start starts a flight for the list of e, which begins to fetch after wait.
func (c *Cache[T]) start(ctx context.Context, e *entry[T], wait, every time.Duration, fetch func(context.Context) (T, error)) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f := &flight[T]{cancel: cancel, done: make(chan struct{})}
	e.flight, e.last, e.next = f, nil, time.Now().Add(wait)
	go func() {
		defer close(f.done)
		defer cancel()
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
		f.value, f.err = fetch(ctx)
		c.mu.Lock()
		defer c.mu.Unlock()
		if e.flight == f {
			e.end(every)
		}
	}()
}

// leave ends the wait of a caller for f.
func (c *Cache[T]) leave(e *entry[T], f *flight[T], every time.Duration) {
	c.mu.Lock()
	f.waiting--
	abandoned := f.waiting == 0
	if abandoned && e.flight == f {
		f.cancel()
		e.flight = nil
		if started := e.next; !time.Now().Before(started) {
			e.next = started.Add(every)
		}
	}
	c.mu.Unlock()
	if abandoned {
		<-f.done
	}
}

// end keeps the outcome of the flight in progress.
func (e *entry[T]) end(every time.Duration) {
	e.last, e.flight = e.flight, nil
	if e.last.err == nil {
		e.failures = 0
	} else {
		every = backoff(every, e.failures)
		e.failures++
	}
	e.next = time.Now().Add(every)
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
