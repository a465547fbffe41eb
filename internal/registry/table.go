// Package registry implements the lists of masters: a table of entries that expire at their
// deadlines, and on top of it the servers of a master, which are listed or withheld and shared
// with other nodes. It also defines the binary form of shared entries.
package registry

import (
	"iter"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/internal/source"
)

// A Table holds entries by key, each with a value and a deadline. Its zero
// value is ready and has no limits. It is not safe for concurrent use.
//
// Finding an entry and moving its deadline to a later time take constant time; adding
// and removing an entry take time logarithmic in the number of entries. There is no
// goroutine: entries remain until Expire is called. The memory follows the largest
// number of entries so far.
//
// An entry has a number, which stays the same until it is removed and is then used
// again. Entries whose key is a netip.AddrPort count towards the limits of its address;
// others count only in total.
type Table[K comparable, V any] struct {
	source.Counter // of entries; its fields limit them

	base    time.Time // of deadlines
	index   index[K]
	entries []entry[V]
	free    []int32 // numbers that are not used
	queue   queue   // of the numbers that are used, by deadline
	latest  map[ip]int32
}

type entry[V any] struct {
	deadline int64 // not before the one in the queue
	value    V

	// The entries with the same address that were added before and after, or none.
	before, after int32
}

// none is no entry.
const none = -1

// addrOf returns the address of a key, if it has one.
func addrOf[K comparable](k K) netip.Addr {
	a, _ := any(k).(netip.AddrPort)
	return a.Addr()
}

// Add adds an entry with the zero value and returns its number. If the key has an entry
// or a limit would be exceeded, ok is false.
func (t *Table[K, V]) Add(k K, deadline time.Time) (i int, ok bool) {
	if _, found := t.index.find(k); found || !t.Counter.Add(addrOf(k)) {
		return 0, false
	}
	if len(t.entries) == 0 {
		t.base = deadline
	}
	n := int32(len(t.entries))
	if last := len(t.free) - 1; last >= 0 {
		n, t.free = t.free[last], t.free[:last]
	} else {
		t.entries = append(t.entries, entry[V]{})
	}
	e := &t.entries[n]
	e.deadline = t.since(deadline)
	t.index.put(k, n)
	t.queue.push(n, e.deadline)
	t.link(n, addrOf(k))
	return int(n), true
}

// link makes entry n the latest one with its address.
func (t *Table[K, V]) link(n int32, a netip.Addr) {
	e := &t.entries[n]
	e.before, e.after = none, none
	if !a.IsValid() {
		return
	}
	if before, found := t.latest[a.As16()]; found {
		e.before = before
		t.entries[before].after = n
	} else if t.latest == nil {
		t.latest = make(map[ip]int32)
	}
	t.latest[a.As16()] = n
}

// unlink undoes link.
func (t *Table[K, V]) unlink(n int32, a netip.Addr) {
	e := &t.entries[n]
	if e.before != none {
		t.entries[e.before].after = e.after
	}
	switch {
	case e.after != none:
		t.entries[e.after].before = e.before
	case e.before != none:
		t.latest[a.As16()] = e.before
	case a.IsValid():
		delete(t.latest, a.As16())
	}
}

// Siblings yields the other entries with the address of entry i that were added last, at most
// limit.
func (t *Table[K, V]) Siblings(i, limit int) iter.Seq[int] {
	return func(yield func(int) bool) {
		n, found := t.latest[addrOf(t.Key(i)).As16()]
		for ; found && n != none && limit > 0; n = t.entries[n].before {
			if int(n) == i {
				continue
			}
			limit--
			if !yield(int(n)) {
				return
			}
		}
	}
}

// Numbers yields the numbers of all entries.
func (t *Table[K, V]) Numbers() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range t.entries {
			if t.queue.has(i) && !yield(i) {
				return
			}
		}
	}
}

// Find returns the number of the entry of a key.
func (t *Table[K, V]) Find(k K) (i int, ok bool) {
	n, ok := t.index.find(k)
	return int(n), ok
}

// Key returns the key of entry i.
func (t *Table[K, V]) Key(i int) K { return t.index.key(i) }

// Value returns a pointer to the value of entry i. It is valid until the next Add.
func (t *Table[K, V]) Value(i int) *V { return &t.entries[i].value }

// Deadline returns the deadline of entry i.
func (t *Table[K, V]) Deadline(i int) time.Time {
	return t.base.Add(time.Duration(t.entries[i].deadline))
}

// SetDeadline sets the deadline of entry i.
func (t *Table[K, V]) SetDeadline(i int, deadline time.Time) {
	e := &t.entries[i]
	before := e.deadline
	e.deadline = t.since(deadline)
	// Only an earlier deadline changes the queue now. A later one does so when the
	// entry reaches the front, once for any number of calls.
	if e.deadline < before && e.deadline < t.queue.at(i) {
		t.queue.advance(i, e.deadline)
	}
}

// Remove removes entry i.
func (t *Table[K, V]) Remove(i int) {
	t.unlink(int32(i), addrOf(t.index.key(i)))
	t.queue.remove(i)
	t.Counter.Remove(addrOf(t.index.key(i)))
	t.index.remove(i)
	t.entries[i] = entry[V]{}
	t.free = append(t.free, int32(i))
}

// Expire removes entries whose deadlines are before now, the earliest first, and
// calls expiring with the number of each before it removes the entry. It examines up
// to limit entries, which bounds its time when many expire at once; the deadlines of
// some of them may have been moved. It reports whether it has examined all that are
// due.
func (t *Table[K, V]) Expire(now time.Time, limit int, expiring func(i int)) (all bool) {
	for at := t.since(now); len(t.queue.turns) > 0 && t.queue.turns[0].at < at; limit-- {
		if limit <= 0 {
			return false
		}
		first := t.queue.turns[0]
		if deadline := t.entries[first.number].deadline; deadline > first.at {
			t.queue.delay(deadline)
			continue
		}
		expiring(int(first.number))
		t.Remove(int(first.number))
	}
	return true
}

func (t *Table[K, V]) since(at time.Time) int64 { return int64(at.Sub(t.base)) }
