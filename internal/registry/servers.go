package registry

import (
	"iter"
	"net/netip"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
)

// Servers are the servers of a master by address, until they expire. V is what the master
// keeps of a server, E is its entry in the Store.
//
// Start, Update, Merge, Forget, Review and All lock the table. The other methods and the
// functions in the fields need the lock.
type Servers[V, E any] struct {
	Table[server[V]]

	Expiry time.Duration                      // after the last Update
	Admit  *func(e E) bool                    // of the master; nil admits all
	Store  lobbywire.Store[E, netip.AddrPort] // may be nil
	Key    func(e E) netip.AddrPort           // in the Store
	Entry  func(i int) E                      // returns server i
	List   func(i int)                        // adds server i to the lists
	Unlist func(i int)                        // removes server i from the lists
	Close  func()                             // stops watching the Store; set by Start

	Listed   int    // servers
	Withheld int    // servers
	Refused  uint64 // servers that were not added because of a limit

	mu    sync.Mutex
	epoch time.Time
}

type server[V any] struct {
	value  V
	state  State
	shared time.Duration // by Clock, when it was last put in the Store; 0 if it is not there
}

// A State states in which lists a server is.
type State int8

const (
	Hidden   State = iota // in none: the server still has to prove something
	Listed                // in the lists of the master
	Withheld              // in none, because Admit returned false
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

// shareEvery is the minimum time between two calls of Put for a listed server.
const shareEvery = 30 * time.Second

// Start starts to watch the Store: put receives its entries, and addr returns the address
// of a key. It must be called once all fields are set.
func (s *Servers[V, E]) Start(put func(e E), addr func(key netip.AddrPort) netip.AddrPort) {
	s.epoch = time.Now()
	s.Close = func() {}
	if s.Store != nil {
		s.Close = s.Store.Watch(put, func(key netip.AddrPort) { s.Forget(addr(key)) })
	}
}

// Forget removes a server that another node has removed.
func (s *Servers[V, E]) Forget(a netip.AddrPort) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i, known := s.Find(a); known {
		s.remove(i)
	}
}

// Lock locks the table and removes servers that have expired.
func (s *Servers[V, E]) Lock(now time.Time) {
	s.mu.Lock()
	s.Expire(now, expireAtOnce, s.Hide)
}

// Unlock unlocks the table.
func (s *Servers[V, E]) Unlock() { s.mu.Unlock() }

func (s *Servers[V, E]) lock() (unlock func()) {
	s.Lock(time.Now())
	return s.mu.Unlock
}

// Clock returns a time in the form in which servers store times. It is greater than any
// interval up to Expiry, so that 0 is long ago.
func (s *Servers[V, E]) Clock(now time.Time) time.Duration { return now.Sub(s.epoch) + s.Expiry }

// Value returns a pointer to the value of server i. It is valid until the next Add.
func (s *Servers[V, E]) Value(i int) *V { return &s.Table.Value(i).value }

// State returns the state of server i.
func (s *Servers[V, E]) State(i int) State { return s.Table.Value(i).state }

// Add adds a server, which is hidden. If there is no room for it, ok is false.
func (s *Servers[V, E]) Add(a netip.AddrPort, deadline time.Time) (i int, ok bool) {
	if i, ok = s.Table.Add(a, deadline); !ok {
		s.Refused++
	}
	return i, ok
}

// Judge lists or withholds server i, as Admit decides.
func (s *Servers[V, E]) Judge(i int) {
	state := Withheld
	if *s.Admit == nil || (*s.Admit)(s.Entry(i)) {
		state = Listed
	}
	if s.State(i) == state {
		return
	}
	s.Hide(i)
	s.Table.Value(i).state = state
	if state == Withheld {
		s.Withheld++
		return
	}
	s.Listed++
	s.List(i)
}

// Hide hides server i.
func (s *Servers[V, E]) Hide(i int) {
	switch s.State(i) {
	case Withheld:
		s.Withheld--
	case Listed:
		s.Listed--
		s.Unlist(i)
	}
	s.Table.Value(i).state = Hidden
}

func (s *Servers[V, E]) remove(i int) {
	s.Hide(i)
	s.Remove(i)
}

// Update calls change with the number of a server, and does what change returns. If there
// is no such server, Update adds one, provided that add is set and there is room. It
// reports whether the outcome is Keep.
func (s *Servers[V, E]) Update(a netip.AddrPort, now time.Time, add bool, change func(i int) Outcome) (kept bool) {
	s.Lock(now)
	do := Ignore
	i, ok := s.Find(a)
	if !ok && add {
		i, ok = s.Add(a, now.Add(s.Expiry))
	}
	if ok {
		do = change(i)
	}
	if do == Keep {
		s.SetDeadline(i, now.Add(s.Expiry))
	}
	var share func()
	if do != Ignore && s.Store != nil {
		share = s.share(i, do, now)
	}
	switch do {
	case Hide:
		s.Hide(i)
	case Remove:
		s.remove(i)
	}
	s.mu.Unlock()
	if share != nil {
		share()
	}
	return do == Keep
}

// share returns a function that passes a change of server i to the Store, or nil if that
// is not due.
func (s *Servers[V, E]) share(i int, do Outcome, now time.Time) func() {
	v := s.Table.Value(i)
	if do == Keep && (v.state == Hidden || s.Clock(now)-v.shared < shareEvery) {
		return nil
	}
	e := s.Entry(i)
	if do == Keep {
		v.shared = s.Clock(now)
		return func() { s.Store.Put(e) }
	}
	v.shared = 0
	return func() { s.Store.Remove(s.Key(e)) }
}

// Merge calls merge for a server that another node has last seen at a time, unless this
// node has seen it later, or there is no room for it.
func (s *Servers[V, E]) Merge(a netip.AddrPort, seen time.Time, merge func(i int)) {
	now := time.Now()
	age := max(now.Sub(seen), 0) // clocks differ
	if age > s.Expiry {
		return
	}
	deadline := now.Add(s.Expiry - age)
	s.Lock(now)
	defer s.mu.Unlock()
	i, ok := s.Find(a)
	switch {
	case !ok:
		i, ok = s.Add(a, deadline)
	case deadline.Before(s.Deadline(i)):
		return
	}
	if ok {
		s.SetDeadline(i, deadline)
		merge(i)
	}
}

// Review calls Judge for all servers that are not hidden.
func (s *Servers[V, E]) Review() {
	s.Each(s.lock, func(i int) {
		if s.State(i) != Hidden {
			s.Judge(i)
		}
	})
}

// All returns the entries of the servers that are not hidden, as [All] does.
func (s *Servers[V, E]) All() iter.Seq[E] {
	return All(&s.Table, s.lock, func(i int) (e E, ok bool) {
		if s.State(i) == Hidden {
			return e, false
		}
		return s.Entry(i), true
	})
}
