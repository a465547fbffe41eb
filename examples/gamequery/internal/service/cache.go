package service

import (
	"context"
	"sync"
	"time"
)

// A cache keeps results for a while. Requests for an unfinished result wait for it.
type cache[K comparable, V any] struct {
	keep time.Duration
	room int // bytes of all results; the oldest are removed when there are more

	mu      sync.Mutex
	entries map[K]*entry[K, V]
	oldest  []*entry[K, V] // ready entries, in order
	size    int
	running sync.WaitGroup
}

// An entry is a result, finished or not.
type entry[K comparable, V any] struct {
	key     K
	value   V
	ready   chan struct{} // closed when value does not change any more and the fields below are set
	err     error
	size    int
	expires time.Time

	waiting int // requests, until it is ready
	cancel  context.CancelFunc
}

// A maker makes a result, and returns its size. Its context is done when no request waits for it
// any more; it has no deadline of a request. If the maker fails, its result is not kept.
type maker[V any] func(ctx context.Context, into *V) (size int, err error)

// An origin states where a result comes from.
type origin int

const (
	made   origin = iota
	cached        // it was ready
	joined        // another request started it
)

// get returns the result of a key. If a request ends early, the others still get the result. If
// another request had no room to make the result, this one tries.
func (c *cache[K, V]) get(ctx context.Context, key K, make maker[V]) (*V, origin, error) {
	for {
		e, from := c.enter(ctx, key, make)
		select {
		case <-e.ready:
			if from == joined && isBusy(e.err) {
				continue
			}
			return &e.value, from, e.err
		case <-ctx.Done():
			c.leave(e)
			return new(V), from, context.Cause(ctx)
		}
	}
}

// enter returns the entry of a key. Call leave when its value is not needed any more.
func (c *cache[K, V]) enter(ctx context.Context, key K, make maker[V]) (*entry[K, V], origin) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dropExpired(time.Now())
	if e := c.entries[key]; e != nil {
		e.waiting++
		if isReady(e.ready) {
			return e, cached
		}
		return e, joined
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	e := &entry[K, V]{key: key, ready: newReady(), waiting: 1, cancel: cancel}
	if c.entries == nil {
		c.entries = map[K]*entry[K, V]{}
	}
	c.entries[key] = e
	c.running.Go(func() {
		defer cancel()
		e.size, e.err = make(ctx, &e.value)
		c.finish(e)
	})
	return e, made
}

func newReady() chan struct{} { return make(chan struct{}) }

func isReady(ready <-chan struct{}) bool {
	select {
	case <-ready:
		return true
	default:
		return false
	}
}

// finish publishes a result.
func (c *cache[K, V]) finish(e *entry[K, V]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(e.ready)
	if c.entries[e.key] != e {
		return // nobody waits
	}
	if e.err != nil || e.size > c.room {
		delete(c.entries, e.key)
		return
	}
	now := time.Now()
	e.expires = now.Add(c.keep)
	c.oldest = append(c.oldest, e)
	c.size += e.size
	c.dropExpired(now)
	for c.size > c.room {
		c.dropOldest()
	}
}

// leave ends the wait of a request.
func (c *cache[K, V]) leave(e *entry[K, V]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e.waiting--
	if e.waiting > 0 || isReady(e.ready) {
		return
	}
	e.cancel()
	if c.entries[e.key] == e {
		delete(c.entries, e.key)
	}
}

func (c *cache[K, V]) dropExpired(now time.Time) {
	for len(c.oldest) > 0 && !now.Before(c.oldest[0].expires) {
		c.dropOldest()
	}
}

func (c *cache[K, V]) dropOldest() {
	e := c.oldest[0]
	c.oldest[0] = nil
	c.oldest = c.oldest[1:]
	c.size -= e.size
	delete(c.entries, e.key)
}

// wait waits for results that are being made.
func (c *cache[K, V]) wait() { c.running.Wait() }
