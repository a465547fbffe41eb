// Package catalogue holds the servers of all families in one form, for those
// who show, count and judge them.
//
// Each family is set as a whole, as often as it is looked at. Readers take a
// Snapshot, which never changes, or Subscribe to changes. Nobody who reads holds
// up who sets.
package catalogue

import (
	"cmp"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A Catalogue is of all families. Its zero value is ready and empty.
type Catalogue struct {
	current atomic.Pointer[Snapshot]

	mu          sync.Mutex // of what follows, and held to change current
	subscribers map[*Subscription]struct{}
	history     history
}

// A Snapshot is what there was at one moment. It and its entries must not be
// changed.
type Snapshot struct {
	Version uint64    // of which a later one is greater
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

// Snapshot returns what there is now.
func (c *Catalogue) Snapshot() *Snapshot {
	if s := c.current.Load(); s != nil {
		return s
	}
	return new(Snapshot)
}

// Set replaces the entries of a family. Of those with the same ID the first is
// taken, as masters may tell of a server twice that leaves and comes meanwhile.
// Entries whose Since is zero keep the one they had, and are there since now if
// they are new.
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
	if next.Version != old.Version {
		change.Version = next.Version
		c.publish(change)
	}
}
