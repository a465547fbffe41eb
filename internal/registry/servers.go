package registry

import (
	"iter"
	"net/netip"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/refusals"
	"github.com/lobbywire/lobbywire/internal/source"
)

// Servers are the servers of a master by key, until they expire. K is the key, also in the
// Store, V is what the master keeps of a server, E is its entry in the Store.
//
// Start, Update, Merge, Forget, Review, Repeat, All and Exceeded lock the table. The other methods
// need the lock.
type Servers[K comparable, V, E any] struct {
	Table[K, server[V]]

	Expiry time.Duration         // after the last Update or Merge
	Store  lobbywire.Store[E, K] // may be nil

	// Connected says that servers are listed as long as their connections last: neither
	// time nor other nodes remove a server that was updated here. It also says that a
	// change is shared within a second, and not only by the next Update after shareEvery.
	Connected bool

	// Refusals gets servers that are not added because of a limit, if their keys are
	// addresses. It may be nil.
	Refusals *refusals.Reporter

	Close func() // stops watching the Store; set by Start

	Listed   int    // servers
	Withheld int    // servers
	Refused  uint64 // servers that were not added because of a limit

	master  Master[E]
	mu      sync.Mutex
	epoch   time.Time
	sharing sharing[K, E]
}

// A Master decides what is listed, and has the lists. Its methods are called while the
// table is locked.
type Master[E any] interface {
	Admits(i int) bool // reports whether the lists have server i
	Entry(i int) E     // returns server i
	List(i int)        // adds server i to the lists
	Unlist(i int)      // removes server i from the lists
}

type server[V any] struct {
	value  V
	state  State
	remote bool      // only other nodes have seen it
	stored bool      // the Store has it
	shared time.Time // when it was last put in the Store
}

func (s *Servers[K, V, E]) server(i int) *server[V] { return s.Table.Value(i) }

// A State states in which lists a server is.
type State int8

const (
	Hidden   State = iota // in none: the server still has to prove something
	Listed                // in the lists of the master
	Withheld              // in none, because the Master does not admit it
)

// An Outcome states what to do with a server.
type Outcome int8

const (
	Ignore Outcome = iota // nothing
	Keep                  // extend its deadline, and share it if it is not hidden
	Hide                  // remove it from the lists and the Store
	Remove                // remove it from the table, the lists and the Store
)

// expireAtOnce bounds the time that a request takes: if more servers expire at once, for
// example after a network failure, the following requests remove the others.
const expireAtOnce = 1000

// forever is the lifetime of a server whose connection lasts.
const forever = 100 * 365 * 24 * time.Hour

// Start starts to watch the Store, which calls put and remove. It must be called once all
// fields are set.
func (s *Servers[K, V, E]) Start(m Master[E], put func(e E), remove func(k K)) {
	s.master = m
	s.epoch = time.Now()
	s.sharing.outbox = Outbox[K]{Every: putEvery, PerSecond: putsPerSecond}
	s.Close = func() {}
	if s.Store != nil {
		s.Close = s.Store.Watch(put, remove)
	}
}

// Lock locks the table and removes servers that have expired.
func (s *Servers[K, V, E]) Lock(now time.Time) {
	s.mu.Lock()
	s.Expire(now, expireAtOnce, s.expire)
}

// expire hides server i, which has expired, and tells the Store.
func (s *Servers[K, V, E]) expire(i int) {
	if s.Store != nil && s.server(i).stored {
		s.change(shared[K, E]{call: toExpire, key: s.Key(i)})
	}
	s.Hide(i)
}

func (s *Servers[K, V, E]) lock() (unlock func()) {
	s.Lock(time.Now())
	return s.Unlock
}

// Clock returns a time in the form in which masters store times. It is greater than any
// interval up to Expiry, so that 0 is long ago.
func (s *Servers[K, V, E]) Clock(now time.Time) time.Duration { return now.Sub(s.epoch) + s.Expiry }

// Value returns a pointer to the value of server i. It is valid until the next Add.
func (s *Servers[K, V, E]) Value(i int) *V { return &s.server(i).value }

// State returns the state of server i.
func (s *Servers[K, V, E]) State(i int) State { return s.server(i).state }

// add adds a server, which is hidden. If there is no room for it, ok is false.
func (s *Servers[K, V, E]) add(k K, deadline time.Time) (i int, ok bool) {
	i, ok = s.Table.Add(k, deadline)
	if !ok {
		s.Refused++
	}
	return i, ok
}

// Judge lists or withholds server i, as the Master decides.
func (s *Servers[K, V, E]) Judge(i int) {
	state := Withheld
	if s.master.Admits(i) {
		state = Listed
	}
	if s.State(i) == state {
		return
	}
	s.Hide(i)
	s.server(i).state = state
	if state == Withheld {
		s.Withheld++
		return
	}
	s.Listed++
	s.master.List(i)
}

// Hide hides server i.
func (s *Servers[K, V, E]) Hide(i int) {
	switch s.State(i) {
	case Withheld:
		s.Withheld--
	case Listed:
		s.Listed--
		s.master.Unlist(i)
	}
	s.server(i).state = Hidden
}

func (s *Servers[K, V, E]) remove(i int) {
	s.Hide(i)
	s.Remove(i)
}

// Update calls change with the number of a server, and does what change returns. If there
// is no such server, Update adds one, provided that add is set and there is room. It
// reports whether the outcome is Keep.
func (s *Servers[K, V, E]) Update(k K, now time.Time, add bool, change func(i int) Outcome) (kept bool) {
	kept, found := s.update(k, now, add, change)
	if add && !found {
		s.refuse(k)
	}
	return kept
}

// refuse reports a server for which there is no room.
func (s *Servers[K, V, E]) refuse(k K) {
	if from, ok := any(k).(netip.AddrPort); ok {
		of, limit := s.Exceeded(from.Addr())
		s.Refusals.Full(from, of, limit)
	}
}

// update is Update. It reports also whether the table has the server.
func (s *Servers[K, V, E]) update(k K, now time.Time, add bool, change func(i int) Outcome) (kept, found bool) {
	s.Lock(now)
	defer s.Unlock()
	deadline := now.Add(s.Expiry)
	if s.Connected {
		deadline = now.Add(forever)
	}
	i, ok := s.Find(k)
	if !ok && add {
		i, ok = s.add(k, deadline)
	}
	if !ok {
		return false, false
	}
	do := change(i)
	switch do {
	case Keep:
		s.server(i).remote = false
		s.SetDeadline(i, deadline)
		s.share(i, now)
	case Hide:
		s.unshare(i)
		s.Hide(i)
	case Remove:
		s.unshare(i)
		s.remove(i)
	}
	return do == Keep, true
}

// Exceeded returns the limit that keeps a server with an address from being added, as
// [source.Counter.Exceeded] does.
func (s *Servers[K, V, E]) Exceeded(a netip.Addr) (of source.Scope, limit int) {
	s.mu.Lock()
	defer s.Unlock()
	return s.Table.Exceeded(a)
}

// SetLimits replaces the limits on the number of servers. Servers beyond them stay listed.
func (s *Servers[K, V, E]) SetLimits(limits source.Counter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Counter.SetLimits(limits)
}

// Limits returns a Counter with the limits on the number of servers.
func (s *Servers[K, V, E]) Limits() source.Counter {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Counter.Limits()
}

// Merge calls merge for a server that another node has last seen at a time, unless this
// node has seen it later or has its connection, or there is no room for it.
func (s *Servers[K, V, E]) Merge(k K, seen time.Time, merge func(i int)) {
	now := time.Now()
	age := max(now.Sub(seen), 0) // clocks differ
	if age > s.Expiry {
		return
	}
	deadline := now.Add(s.Expiry - age)
	s.Lock(now)
	defer s.Unlock()
	i, found := s.Find(k)
	switch {
	case !found:
		i, found = s.add(k, deadline)
		if !found {
			return
		}
		s.server(i).remote = true
	case s.isConnected(i), deadline.Before(s.Deadline(i)):
		return
	}
	s.server(i).stored = true
	s.SetDeadline(i, deadline)
	merge(i)
}

// Forget removes a server that another node has removed, unless this node has its
// connection.
func (s *Servers[K, V, E]) Forget(k K) {
	s.mu.Lock()
	defer s.Unlock()
	if i, found := s.Find(k); found && !s.isConnected(i) {
		s.remove(i)
	}
}

// IsElsewhere reports whether another node has the connection of server i.
func (s *Servers[K, V, E]) IsElsewhere(i int) bool { return s.server(i).remote }

// isConnected reports whether this node has the connection of server i.
func (s *Servers[K, V, E]) isConnected(i int) bool { return s.Connected && !s.server(i).remote }

// Review calls Judge for the servers with the keys or, without keys, for all servers, unless
// they are hidden.
func (s *Servers[K, V, E]) Review(keys ...K) {
	judge := func(i int) {
		if s.State(i) != Hidden {
			s.Judge(i)
		}
	}
	if len(keys) > 0 {
		s.EachOf(keys, s.lock, judge)
	} else {
		s.Each(s.lock, judge)
	}
}

// All returns the entries of the servers that are not hidden, as [All] does.
func (s *Servers[K, V, E]) All() iter.Seq[E] { return All(&s.Table, s.lock, s.visible) }

// visible returns server i, unless it is hidden.
func (s *Servers[K, V, E]) visible(i int) (e E, ok bool) {
	if s.State(i) == Hidden {
		return e, false
	}
	return s.master.Entry(i), true
}

// Snapshot returns the entries of the servers that are not hidden, as they are at one
// moment: it keeps the table locked for some 0.1 ms for each 1000 servers.
func (s *Servers[K, V, E]) Snapshot() (entries []E) {
	defer s.lock()()
	entries = make([]E, 0, s.Listed+s.Withheld)
	for i := range s.entries {
		if !s.queue.has(i) {
			continue
		}
		if e, ok := s.visible(i); ok {
			entries = append(entries, e)
		}
	}
	return entries
}
