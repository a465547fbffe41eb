package registry

import (
	"context"
	"iter"
	"net/netip"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/refusals"
	"github.com/lobbywire/lobbywire/internal/source"
)

// Servers are the servers of a master by key, until they expire. K is the key, also in the
// Store, V is the master's record of a server, E is its entry in the Store.
//
// The methods lock the table. What needs the lock is a method of [Locked], which is passed to
// the functions that are called while the table is locked.
type Servers[K comparable, V, E any] struct {
	Expiry time.Duration         // after the last Update or Merge
	Store  lobbywire.Store[E, K] // may be nil

	// Connected keeps servers listed as long as their connections last: neither time nor
	// other nodes remove a server that was updated here. Changes are then shared within a
	// second, and not only by the next Update after shareEvery.
	Connected bool

	// Refusals gets servers that are not added because of a limit, if their keys are
	// addresses. It may be nil.
	Refusals *refusals.Reporter

	Close func() // stops watching the Store; set by Start

	epoch  time.Time
	mu     sync.Mutex
	locked Locked[K, V, E] // guarded by mu
}

// expireAtOnce bounds the time that a request takes: if more servers expire at once, for
// example after a network failure, the following requests remove the others.
const expireAtOnce = 1000

// forever is the lifetime of a server whose connection lasts.
const forever = 100 * 365 * 24 * time.Hour

// Start starts to watch the Store, which calls put and remove. It must be called once all
// fields are set.
func (s *Servers[K, V, E]) Start(m Master[K, V, E], put func(e E), remove func(k K)) {
	s.epoch = time.Now()
	s.locked.master, s.locked.connected = m, s.Connected
	s.locked.sharing = newSharing[K, E](s.Store, s.shareWaiting)
	s.Close = func() {}
	if s.Store != nil {
		s.Close = s.Store.Watch(put, remove)
	}
}

// Do removes expired servers and calls do while the table is locked.
func (s *Servers[K, V, E]) Do(now time.Time, do func(t *Locked[K, V, E])) {
	defer s.unlock()
	do(s.lock(now))
}

func (s *Servers[K, V, E]) lock(now time.Time) *Locked[K, V, E] {
	s.mu.Lock()
	t := &s.locked
	t.table.Expire(now, expireAtOnce, t.expire)
	return t
}

func (s *Servers[K, V, E]) unlock() {
	if len(s.locked.sharing.changes) > 0 {
		s.locked.sharing.passOn(&s.mu)
	}
	s.mu.Unlock()
}

// Update calls change with the number of a server, and does what change returns. If there
// is no such server, Update adds one, provided that add is set and there is room. It
// reports whether the outcome is Keep.
func (s *Servers[K, V, E]) Update(
	k K, now time.Time, add bool, change func(t *Locked[K, V, E], i int) Outcome,
) (kept bool) {
	kept, found := s.update(k, now, add, change)
	if add && !found {
		s.refuse(k)
	}
	return kept
}

// update is Update. It reports also whether the table has the server.
func (s *Servers[K, V, E]) update(
	k K, now time.Time, add bool, change func(t *Locked[K, V, E], i int) Outcome,
) (kept, found bool) {
	t := s.lock(now)
	defer s.unlock()
	deadline := now.Add(s.Expiry)
	if s.Connected {
		deadline = now.Add(forever)
	}
	i, found := t.Find(k)
	if !found && add {
		i, found = t.add(k, deadline)
	}
	if !found {
		return false, false
	}
	do := change(t, i)
	switch do {
	case Keep:
		t.keep(i, deadline, now)
	case Share:
		t.shareNow(i, now)
	case Hide:
		t.unshare(i)
		t.Hide(i)
	case Remove:
		t.unshare(i)
		t.remove(i)
	}
	return do == Keep, true
}

// refuse reports a server for which there is no room.
func (s *Servers[K, V, E]) refuse(k K) {
	from, ok := any(k).(netip.AddrPort)
	if !ok {
		return
	}
	s.mu.Lock()
	of, limit := s.locked.table.Exceeded(from.Addr())
	s.mu.Unlock()
	s.Refusals.Full(from, of, limit)
}

// SetLimits replaces the limits on the number of servers. Servers beyond them stay listed.
func (s *Servers[K, V, E]) SetLimits(limits source.Counter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.locked.table.SetLimits(limits)
}

// Limits returns a Counter with the limits on the number of servers.
func (s *Servers[K, V, E]) Limits() source.Counter {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.locked.table.Limits()
}

// Clock converts a time to the form that masters store. It is greater than any
// interval up to Expiry, so that 0 is long ago. It needs no lock.
func (s *Servers[K, V, E]) Clock(now time.Time) time.Duration { return now.Sub(s.epoch) + s.Expiry }

// Merge calls merge for a server that another node has last seen at a time, unless this
// node has seen it later or has its connection, or there is no room for it.
func (s *Servers[K, V, E]) Merge(k K, seen time.Time, merge func(t *Locked[K, V, E], i int)) {
	now := time.Now()
	age := max(now.Sub(seen), 0) // clocks differ
	if age > s.Expiry {
		return
	}
	s.Do(now, func(t *Locked[K, V, E]) {
		if i, ok := t.merged(k, now.Add(s.Expiry-age)); ok {
			merge(t, i)
		}
	})
}

// Forget removes a server that another node has removed, unless this node has its
// connection.
func (s *Servers[K, V, E]) Forget(k K) {
	s.mu.Lock()
	defer s.unlock()
	t := &s.locked
	if i, found := t.Find(k); found && !t.isConnected(i) {
		t.remove(i)
	}
}

// Each calls visit with the number of each server, as [Table.Each] does.
func (s *Servers[K, V, E]) Each(visit func(t *Locked[K, V, E], i int)) {
	s.locked.table.Each(s.lockNow, func(i int) { visit(&s.locked, i) })
}

func (s *Servers[K, V, E]) lockNow() (unlock func()) {
	s.lock(time.Now())
	return s.unlock
}

// Review decides again about the servers with the keys or, without keys, about all servers,
// unless they are hidden.
func (s *Servers[K, V, E]) Review(keys ...K) {
	if len(keys) > 0 {
		s.locked.table.EachOf(keys, s.lockNow, s.locked.review)
	} else {
		s.locked.table.Each(s.lockNow, s.locked.review)
	}
}

// All returns the entries of the servers that are not hidden, as [All] does.
func (s *Servers[K, V, E]) All() iter.Seq[E] {
	return All(&s.locked.table, s.lockNow, s.locked.visible)
}

// Snapshot returns the entries of the servers that are not hidden, as they are at one
// moment: it keeps the table locked for some 0.1 ms for each 1000 servers.
func (s *Servers[K, V, E]) Snapshot() (entries []E) {
	s.Do(time.Now(), func(t *Locked[K, V, E]) { entries = t.snapshot() })
	return entries
}

// Repeat puts the servers whose connections this node has in the Store at intervals, so
// that they do not expire at other nodes, until ctx is done. It may run several times.
func (s *Servers[K, V, E]) Repeat(ctx context.Context) {
	tick := time.NewTicker(shareEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			s.Each(func(t *Locked[K, V, E], i int) { t.repeat(i, now) })
		}
	}
}

// shareWaiting puts servers in the Store that have waited.
func (s *Servers[K, V, E]) shareWaiting() {
	now := time.Now()
	s.Do(now, func(t *Locked[K, V, E]) { t.shareWaiting(now) })
}
