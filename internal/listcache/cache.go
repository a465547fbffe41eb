// Package listcache limits how often a program fetches a list from a server, whatever
// the number of calls and goroutines.
package listcache

import (
	"context"
	"sync"
	"time"
)

// A Cache holds the last outcome of fetching each of several lists, by key, such as
// the address of the server. Its zero value is ready.
type Cache[T any] struct {
	mu      sync.Mutex
	entries map[string]*entry[T]
}

// An entry is the state of one list. The mutex of the cache guards it.
type entry[T any] struct {
	flight   *flight[T] // in progress, if not nil
	last     *flight[T] // the last one, if none has started since
	next     time.Time  // the earliest start of a flight; of one in progress, its start
	failures int        // of the last flights, in a row
}

// Get returns the outcome of fetch for the list of key. It shares a fetch in progress,
// and returns the last outcome if that is recent. Several callers may get the same
// value, so what it refers to must not be changed.
//
// After a success the next fetch is after every at the earliest; 0 means 2 s. After a
// failure the time is every, and doubles with each further failure up to 60 s, plus or
// minus up to a quarter at random. Until then Get returns the last outcome. A negative
// value disables this: there is a fetch whenever none is in progress.
//
// The end of ctx ends only the wait of the caller, with context.Cause(ctx). The context
// of fetch has the values of one caller and no deadline, and is done when no caller
// waits any more; the last one waits for fetch to return. Such a fetch has no outcome:
// the next caller waits until every has passed since its start, for a new fetch.
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

// maxLists bounds the lists that a Cache remembers, in addition to those in progress.
const maxLists = 64

// entryOf returns the entry of key. A new entry may replace the one that can be
// fetched again soonest.
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

// forget removes the entry that can be fetched again soonest, unless all are in
// progress.
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
