// Package catalogue holds the servers of all families in one form, for displaying,
// counting and judging them.
//
// Readers take a Snapshot, which never changes, or subscribe to changes. Readers never block
// writers.
package catalogue

import (
	"cmp"
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A Catalogue holds all families. Its zero value is ready and empty.
type Catalogue struct {
	current atomic.Pointer[Snapshot]

	mu          sync.Mutex // for the fields below, and for changing current
	revision    uint64     // of the last entry
	subscribers map[*Subscription]struct{}
	history     history
	tracks      [scales]tracks
	unknown     map[string]json.RawMessage // other members that a later version has saved
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
	i, found := slices.BinarySearchFunc(s.Entries, id, compareID)
	if !found {
		return nil, false
	}
	return s.Entries[i], true
}

func compareID(e *Entry, id string) int { return cmp.Compare(e.ID, id) }

// Snapshot returns the current snapshot.
func (c *Catalogue) Snapshot() *Snapshot {
	if s := c.current.Load(); s != nil {
		return s
	}
	return new(Snapshot)
}

// Update adds the entries put, which replace those with the same IDs, and removes those with the
// IDs gone. The entries must not be changed later. An entry whose Since is zero keeps the
// earlier value or, if it is new, gets the current time.
func (c *Catalogue) Update(put []*Entry, gone []string, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	old := c.Snapshot()
	next := &Snapshot{Version: old.Version, Time: now, Entries: old.Entries}
	edits := make([]edit, 0, len(put)+len(gone))
	for _, id := range gone {
		edits = append(edits, edit{id: id})
	}
	for _, e := range put {
		c.revision++
		e.Revision = c.revision
		edits = append(edits, edit{e.ID, e})
	}
	change := new(Change)
	if len(edits) > 0 {
		next.Entries = change.apply(edits, old.Entries, now, c.history.count)
	}
	if len(change.Put)+len(change.Gone) > 0 {
		next.Version++
	}
	c.current.Store(next)
	c.history.add(now, change.Put)
	for scale := range scales {
		h, days := &c.tracks[scale], &c.tracks[Day]
		if scale == Day {
			days = nil
		}
		h.scale = scale
		h.add(now, change.Put, next.Entries, days)
	}
	if next.Version != old.Version {
		change.Version = next.Version
		c.publish(change)
	}
}

// An edit sets or removes the entry with an ID.
type edit struct {
	id string
	to *Entry // nil if it is gone
}

// apply returns entries with edits, and notes what changes. The last edit of an ID counts. It
// calls count with each entry before and after its edit.
func (c *Change) apply(edits []edit, entries []*Entry, now time.Time, count func(before, after *Entry)) []*Entry {
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.id, b.id) })
	next := make([]*Entry, 0, len(entries)+len(edits))
	for i, x := range edits {
		if i+1 < len(edits) && edits[i+1].id == x.id {
			continue
		}
		at, found := slices.BinarySearchFunc(entries, x.id, compareID)
		next = append(next, entries[:at]...)
		entries = entries[at:]
		var before *Entry
		if found {
			before, entries = entries[0], entries[1:]
		}
		if x.to != nil {
			next = append(next, x.to)
		}
		c.note(before, x.to, now)
		count(before, x.to)
	}
	return append(next, entries...)
}

// note notes a change of an entry, which is nil if it does not exist before or after that.
func (c *Change) note(before, after *Entry, now time.Time) {
	switch {
	case after == nil && before != nil:
		c.Gone = append(c.Gone, before.ID)
	case after == nil:
		return
	case after.Since.IsZero() && before != nil:
		after.Since = before.Since
	case after.Since.IsZero():
		after.Since = now
	}
	if after != nil && (before == nil || !same(before, after)) {
		c.Put = append(c.Put, after)
	}
}
