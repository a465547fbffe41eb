// Package catalogue holds the servers of all families in one form, for displaying,
// counting and judging them.
//
// A family is always set as a whole. Readers take a Snapshot, which never changes, or
// subscribe to changes. Readers never block writers.
package catalogue

import (
	"cmp"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A Catalogue holds all families. Its zero value is ready and empty.
type Catalogue struct {
	current atomic.Pointer[Snapshot]

	mu          sync.Mutex // for the fields below, and for changing current
	subscribers map[*Subscription]struct{}
	history     history
	tracks      tracks
}

// A Snapshot is the content of a Catalogue at one point in time. It and its entries
// must not be changed.
type Snapshot struct {
	Version uint64    // increases with each snapshot
	Time    time.Time // when it was made
	Entries []*Entry  // in the order of ID
}

// Find returns the entry with an ID.
func (s *Snapshot) Find(id string) (*Entry, bool) {
	i, found := slices.BinarySearchFunc(s.Entries, id, func(e *Entry, id string) int { return cmp.Compare(e.ID, id) })
	if !found {
		return nil, false
	}
	return s.Entries[i], true
}

// Snapshot returns the current snapshot.
func (c *Catalogue) Snapshot() *Snapshot {
	if s := c.current.Load(); s != nil {
		return s
	}
	return new(Snapshot)
}

// Set replaces the entries of a family. If several have the same ID, it takes the
// first: a master may list a server twice that reconnects during the listing. An
// entry whose Since is zero keeps the earlier value or, if it is new, gets the
// current time.
func (c *Catalogue) Set(family Family, entries iter.Seq[Entry], now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	old := c.Snapshot()
	next := &Snapshot{Version: old.Version, Time: now, Entries: make([]*Entry, 0, len(old.Entries))}
	for _, e := range old.Entries {
		if e.Family != family {
			next.Entries = append(next.Entries, e)
		}
	}
	for e := range entries {
		next.Entries = append(next.Entries, &e)
	}
	slices.SortStableFunc(next.Entries, func(a, b *Entry) int { return cmp.Compare(a.ID, b.ID) })
	next.Entries = slices.CompactFunc(next.Entries, func(a, b *Entry) bool { return a.ID == b.ID })
	change := new(Change)
	for _, e := range next.Entries {
		if e.Family != family {
			continue
		}
		before, known := old.Find(e.ID)
		switch {
		case e.Since.IsZero() && known:
			e.Since = before.Since
		case e.Since.IsZero():
			e.Since = now
		}
		if !known || !same(before, e) {
			change.Put = append(change.Put, e)
		}
	}
	for _, e := range old.Entries {
		if _, still := next.Find(e.ID); !still {
			change.Gone = append(change.Gone, e.ID)
		}
	}
	if len(change.Put)+len(change.Gone) > 0 {
		next.Version++
	}
	c.current.Store(next)
	c.history.add(now, next.Entries)
	c.tracks.add(now, change.Put, next.Entries)
	if next.Version != old.Version {
		change.Version = next.Version
		c.publish(change)
	}
}
