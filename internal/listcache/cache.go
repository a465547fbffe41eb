// Package listcache keeps a program from asking for a list more often than who
// has it can bear, however often and from however many goroutines it calls.
package listcache

import (
	"context"
	"sync"
	"time"
)

// A Cache holds the last outcome of fetching each of some lists, by key, as the
// address of who has the list. Its zero value is ready.
type Cache[T any] struct {
	mu      sync.Mutex
	entries map[string]*entry[T]
}

// An entry is what is known of one list. The cache's mutex guards it.
type entry[T any] struct {
	flight   *flight[T] // under way, if not nil
	last     *flight[T] // that which ended, if none has started since
	next     time.Time  // no flight starts before; of one under way, its start
	failures int        // of the last flights that ended, in a row
}

// Get returns what fetch returns for the list of key, or has returned a short
// while ago, or returns to somebody who called before. Several callers may get
// the same value: what it refers to must not be changed.
//
// After a fetch that succeeded there is none for every; 0 means 2 s. After one
// that failed it is every too, then double of that with each further failure up
// to 60 s, longer or shorter by up to a quarter at random. Until then the outcome
// is the last one. If every is negative, there is a fetch whenever none is under
// way.
//
// The end of ctx ends the caller's wait only, with context.Cause(ctx). The
// context of fetch has the values of one caller's and no deadline, and is done
// when nobody waits any more; who leaves last waits for fetch to return. Such a
// fetch has no outcome: who comes next waits until every has passed since it
// started, and there is a new one.
func (c *Cache[T]) Get(ctx context.Context, key string, every time.Duration, fetch func(context.Context) (T, error)) (T, error) {
	var none T
	if ctx.Err() != nil {
		return none, context.Cause(ctx)
	}
	if every == 0 {
		every = 2 * time.Second
	}
	c.mu.Lock()
	e := c.entryOf(key)
	if e.flight == nil {
		wait := max(time.Until(e.next), 0)
		if wait > 0 && e.last != nil {
			defer c.mu.Unlock()
			return e.last.value, e.last.err
		}
		c.start(ctx, e, wait, every, fetch)
	}
	f := e.flight
	f.waiting++
	c.mu.Unlock()

	select {
	case <-f.done:
		return f.value, f.err
	case <-ctx.Done():
		c.leave(e, f, every)
		return none, context.Cause(ctx)
	}
}

// maxLists bounds the lists that a Cache remembers, besides those under way.
const maxLists = 64

// entryOf returns the entry of key. A new one may take the place of that which
// may be fetched again soonest.
func (c *Cache[T]) entryOf(key string) *entry[T] {
	if e := c.entries[key]; e != nil {
		return e
	}
	if c.entries == nil {
		c.entries = make(map[string]*entry[T])
	}
	if len(c.entries) >= maxLists {
		c.forget()
	}
	e := new(entry[T])
	c.entries[key] = e
	return e
}

// forget removes the entry that may be fetched again soonest, unless all are
// under way.
func (c *Cache[T]) forget() {
	var soonest *entry[T]
	var key string
	for k, e := range c.entries {
		if e.flight == nil && (soonest == nil || e.next.Before(soonest.next)) {
			soonest, key = e, k
		}
	}
	if soonest != nil {
		delete(c.entries, key)
	}
}
