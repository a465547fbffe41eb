// Package listcache limits how often a program fetches a list from a server, whatever
// the number of calls and goroutines.
package listcache

import (
	"context"
	"sync"
	"time"
)

// A Cache holds the last outcome of fetching each of several lists. Its zero value is
// ready.
type Cache[T any] struct {
	mu      sync.Mutex
	entries map[key]*entry[T]
	servers map[string]*server
	sweep   int // number of entries at which to forget some
}

// A key identifies a list by its server, such as an address, and by its query, such as a
// filter.
type key struct{ server, list string }

// An entry is the state of one list. The mutex of the cache guards it.
type entry[T any] struct {
	key    key
	server *server
	flight *flight[T] // in progress, or the last one; nil if it is forgotten
	next   time.Time  // the earliest start of the next flight
}

// A server is the state of all lists of a server. The mutex of the cache guards it.
type server struct {
	next     time.Time // the earliest start of the next flight
	failures int       // of the last flights, in a row
	err      error     // of the last flight
}

// failing returns the last failure if the back-off after it has not ended.
func (s *server) failing(now time.Time) error {
	if now.Before(s.next) {
		return s.err
	}
	return nil
}

// Get returns the outcome of fetch for a list of a server. It shares a fetch in
// progress, and returns the last outcome if that is recent. Several callers may get the
// same value, so it must not be changed.
//
// The next fetch of a list starts after the interval every at the earliest; 0 means 2 s.
// After a failure the interval doubles each time, up to 60 s, plus or minus up to a
// quarter at random. Until then Get returns the last outcome. For the other lists of the
// server, it returns the failure. Fetches of different lists of a server start at least
// every apart, and their callers wait. A negative value disables all this: Get fetches
// whenever no fetch is in progress.
//
// When ctx is done, the caller stops waiting and gets context.Cause(ctx). The context of
// fetch has the values of one caller and no deadline. It ends when no caller waits any
// more, and the last one waits for fetch to return. Such a fetch has no outcome: the next
// caller waits until every has passed since its start, for a new fetch.
func (c *Cache[T]) Get(ctx context.Context, server, list string, every time.Duration,
	fetch func(context.Context) (T, error)) (T, error) {
	var none T
	if ctx.Err() != nil {
		return none, context.Cause(ctx)
	}
	if every == 0 {
		every = 2 * time.Second
	}
	c.mu.Lock()
	e := c.entryOf(key{server, list})
	if now := time.Now(); e.flight == nil || e.flight.ended && !now.Before(e.next) {
		c.start(ctx, e, every, fetch)
	}
	f := e.flight
	f.waiting++
	c.mu.Unlock()

	select {
	case <-f.done:
		return f.value, f.err
	case <-ctx.Done():
		c.leave(e, f)
		return none, context.Cause(ctx)
	}
}

// entryOf returns the entry of a list.
func (c *Cache[T]) entryOf(k key) *entry[T] {
	if e := c.entries[k]; e != nil {
		return e
	}
	if c.entries == nil {
		c.entries = make(map[key]*entry[T])
		c.servers = make(map[string]*server)
	}
	if len(c.entries) >= c.sweep {
		c.forget()
	}
	if c.servers[k.server] == nil {
		c.servers[k.server] = new(server)
	}
	e := &entry[T]{key: k, server: c.servers[k.server]}
	c.entries[k] = e
	return e
}
