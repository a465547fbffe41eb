package registry

import (
	"iter"
	"time"
)

// Locked are Servers while they are locked: a Locked is valid until the function that receives
// it returns. A server has a number, which stays the same until the server is removed.
type Locked[K comparable, V, E any] struct {
	Listed   int    // servers
	Withheld int    // servers
	Refused  uint64 // servers that were not added because of a limit

	table     Table[K, server[V]]
	master    Master[K, V, E]
	connected bool // as Connected of Servers
	sharing   sharing[K, E]
}

// A Master decides what is listed, and has the lists. Its methods are called while the
// table is locked.
type Master[K comparable, V, E any] interface {
	Admits(t *Locked[K, V, E], i int) bool // reports whether the lists have server i
	Entry(t *Locked[K, V, E], i int) E     // returns server i
	List(t *Locked[K, V, E], i int)        // adds server i to the lists
	Unlist(t *Locked[K, V, E], i int)      // removes server i from the lists
}

type server[V any] struct {
	value  V
	state  State
	remote bool      // only other nodes have seen it
	stored bool      // the Store has it
	shared time.Time // when it was last put in the Store
}

// A State describes which lists contain a server.
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
	Share                 // share it now if it is not hidden and this node has seen it
	Hide                  // remove it from the lists and the Store
	Remove                // remove it from the table, the lists and the Store
)

// Len returns the number of servers, in all states.
func (t *Locked[K, V, E]) Len() int { return t.table.Len() }

// Find returns the number of the server with a key.
func (t *Locked[K, V, E]) Find(k K) (i int, ok bool) { return t.table.Find(k) }

// Siblings yields the other servers with the address of server i that were added last, at most 64.
func (t *Locked[K, V, E]) Siblings(i int) iter.Seq[int] { return t.table.Siblings(i, maxSiblings) }

// maxSiblings bounds the time that looking for a server takes, for masters that allow one address
// any number of them.
const maxSiblings = 64

// Key returns the key of server i.
func (t *Locked[K, V, E]) Key(i int) K { return t.table.Key(i) }

// Value returns a pointer to the value of server i. It is valid until another server is added.
func (t *Locked[K, V, E]) Value(i int) *V { return &t.server(i).value }

// State returns the state of server i.
func (t *Locked[K, V, E]) State(i int) State { return t.server(i).state }

// Deadline returns when server i expires.
func (t *Locked[K, V, E]) Deadline(i int) time.Time { return t.table.Deadline(i) }

// SetDeadline sets when server i expires.
func (t *Locked[K, V, E]) SetDeadline(i int, deadline time.Time) { t.table.SetDeadline(i, deadline) }

func (t *Locked[K, V, E]) server(i int) *server[V] { return t.table.Value(i) }

// Decide lists or withholds server i, as the Master decides.
func (t *Locked[K, V, E]) Decide(i int) {
	state := Withheld
	if t.master.Admits(t, i) {
		state = Listed
	}
	if t.State(i) == state {
		return
	}
	t.Hide(i)
	t.server(i).state = state
	if state == Withheld {
		t.Withheld++
		return
	}
	t.Listed++
	t.master.List(t, i)
}

// review decides again about server i, unless it is hidden.
func (t *Locked[K, V, E]) review(i int) {
	if t.State(i) != Hidden {
		t.Decide(i)
	}
}

// Hide hides server i.
func (t *Locked[K, V, E]) Hide(i int) {
	switch t.State(i) {
	case Withheld:
		t.Withheld--
	case Listed:
		t.Listed--
		t.master.Unlist(t, i)
	}
	t.server(i).state = Hidden
}

// add adds a server, which is hidden. If there is no room for it, ok is false.
func (t *Locked[K, V, E]) add(k K, deadline time.Time) (i int, ok bool) {
	i, ok = t.table.Add(k, deadline)
	if !ok {
		t.Refused++
	}
	return i, ok
}

func (t *Locked[K, V, E]) remove(i int) {
	t.Hide(i)
	t.table.Remove(i)
}

// expire hides server i, which has expired, and removes it from the Store.
func (t *Locked[K, V, E]) expire(i int) {
	if t.server(i).stored {
		t.sharing.expire(t.Key(i))
	}
	t.Hide(i)
}

// merged returns the number of a server that another node has seen and that expires at the
// deadline. It adds the server if need be. If this node has seen the server later or has its
// connection, or there is no room for it, ok is false.
func (t *Locked[K, V, E]) merged(k K, deadline time.Time) (i int, ok bool) {
	i, found := t.Find(k)
	switch {
	case !found:
		i, found = t.add(k, deadline)
		if !found {
			return i, false
		}
		t.server(i).remote = true
	case t.isConnected(i), deadline.Before(t.Deadline(i)):
		return i, false
	}
	t.server(i).stored = true
	t.SetDeadline(i, deadline)
	return i, true
}

// IsElsewhere reports whether another node has the connection of server i.
func (t *Locked[K, V, E]) IsElsewhere(i int) bool { return t.server(i).remote }

// isConnected reports whether this node has the connection of server i.
func (t *Locked[K, V, E]) isConnected(i int) bool { return t.connected && !t.server(i).remote }

// visible returns server i, unless it is hidden.
func (t *Locked[K, V, E]) visible(i int) (e E, ok bool) {
	if t.State(i) == Hidden {
		return e, false
	}
	return t.master.Entry(t, i), true
}

// snapshot returns the servers that are not hidden.
func (t *Locked[K, V, E]) snapshot() []E {
	entries := make([]E, 0, t.Listed+t.Withheld)
	for i := range t.table.Numbers() {
		if e, ok := t.visible(i); ok {
			entries = append(entries, e)
		}
	}
	return entries
}

// keep extends the deadline of server i, which this node has seen, and shares it.
func (t *Locked[K, V, E]) keep(i int, deadline, now time.Time) {
	t.server(i).remote = false
	t.SetDeadline(i, deadline)
	t.share(i, now)
}

// share puts server i in the Store, if that is due.
func (t *Locked[K, V, E]) share(i int, now time.Time) {
	v := t.server(i)
	switch {
	case t.sharing.store == nil || v.state == Hidden:
	case t.connected:
		if t.sharing.outbox.Offer(t.Key(i), v.shared, now) {
			t.put(i, now)
		}
		t.sharing.later()
	case !v.stored || now.Sub(v.shared) >= shareEvery:
		t.put(i, now)
	}
}

// shareNow puts server i in the Store, whether that is due or not.
func (t *Locked[K, V, E]) shareNow(i int, now time.Time) {
	if v := t.server(i); t.sharing.store != nil && v.state != Hidden && !v.remote {
		t.put(i, now)
	}
}

// repeat shares server i again, if this node has its connection.
func (t *Locked[K, V, E]) repeat(i int, now time.Time) {
	if t.isConnected(i) && now.Sub(t.server(i).shared) >= shareEvery/2 {
		t.share(i, now)
	}
}

// shareWaiting puts servers in the Store that have waited.
func (t *Locked[K, V, E]) shareWaiting(now time.Time) {
	due := t.sharing.outbox.Due(now, func(k K) (last time.Time, ok bool) {
		i, found := t.Find(k)
		if !found || t.State(i) == Hidden || !t.isConnected(i) {
			return last, false
		}
		return t.server(i).shared, true
	})
	for _, k := range due {
		i, _ := t.Find(k)
		t.put(i, now)
	}
	t.sharing.later()
}

// put puts server i in the Store.
func (t *Locked[K, V, E]) put(i int, now time.Time) {
	v := t.server(i)
	v.stored, v.shared = true, now
	t.sharing.put(t.master.Entry(t, i))
}

// unshare removes server i from the Store, if it is there.
func (t *Locked[K, V, E]) unshare(i int) {
	v := t.server(i)
	if v.stored {
		v.stored = false
		t.sharing.remove(t.Key(i))
	}
}
