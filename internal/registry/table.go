// Package registry has the table behind the masters: entries by address, each of which
// expires at a deadline unless that is moved, and what the masters share above it.
package registry

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/internal/source"
)

// A Table holds entries by address, each with a value and a deadline. Its zero
// value is ready and has no limits. It is not safe for concurrent use.
//
// Finding an entry and moving its deadline to a later time take constant time; adding
// and removing an entry take time logarithmic in the number of entries. There is no
// goroutine: entries remain until Expire is called. The memory is that of the largest
// number of entries so far.
//
// An entry has a number, which stays the same until it is removed and is then used
// again. IPv4 addresses in IPv6 form count as IPv4 addresses; zones are ignored.
type Table[V any] struct {
	source.Counter // of entries; its fields limit them

	base    time.Time // of deadlines
	index   map[key]int32
	entries []entry[V]
	free    []int32 // numbers that are not used
	queue   queue   // of numbers, by deadline
}

type entry[V any] struct {
	key      key
	place    int32 // in the queue, -1 if the number is not used
	deadline int64 // not before the one in the queue
	value    V
}

// Add adds an entry with the zero value and returns its number. It is not ok if the
// address has an entry or if a limit would be exceeded.
func (t *Table[V]) Add(a netip.AddrPort, deadline time.Time) (i int, ok bool) {
	k := keyOf(a)
	if _, found := t.index[k]; found || !t.Counter.Add(a.Addr()) {
		return 0, false
	}
	if t.index == nil {
		t.index = make(map[key]int32)
		t.base = deadline
	}
	n := int32(len(t.entries))
	if last := len(t.free) - 1; last >= 0 {
		n, t.free = t.free[last], t.free[:last]
	} else {
		t.entries = append(t.entries, entry[V]{})
	}
	e := &t.entries[n]
	e.key, e.deadline = k, t.since(deadline)
	t.index[k] = n
	t.push(turn{e.deadline, n})
	return int(n), true
}

// Find returns the number of the entry of an address.
func (t *Table[V]) Find(a netip.AddrPort) (i int, ok bool) {
	n, ok := t.index[keyOf(a)]
	return int(n), ok
}

// Addr returns the address of entry i.
func (t *Table[V]) Addr(i int) netip.AddrPort { return t.entries[i].key.addrPort() }

// Value returns a pointer to the value of entry i. It is valid until the next Add.
func (t *Table[V]) Value(i int) *V { return &t.entries[i].value }

// Deadline returns the deadline of entry i.
func (t *Table[V]) Deadline(i int) time.Time {
	return t.base.Add(time.Duration(t.entries[i].deadline))
}

// SetDeadline sets the deadline of entry i.
func (t *Table[V]) SetDeadline(i int, deadline time.Time) {
	e := &t.entries[i]
	e.deadline = t.since(deadline)
	// Only an earlier deadline changes the queue now. A later one does so when the
	// entry reaches the front, once for any number of calls.
	if e.deadline < t.queue[e.place].at {
		t.queue[e.place].at = e.deadline
		t.up(int(e.place))
	}
}

// Remove removes entry i.
func (t *Table[V]) Remove(i int) {
	e := &t.entries[i]
	t.drop(int(e.place))
	delete(t.index, e.key)
	t.Counter.Remove(e.key.addrPort().Addr())
	*e = entry[V]{place: -1}
	t.free = append(t.free, int32(i))
}

// Expire removes entries whose deadlines are before now, the earliest first, and
// calls expiring with the number of each before it removes the entry. It examines up
// to most entries, which bounds its time when many expire at once; the deadlines of
// some of them may have been moved. It reports whether it has examined all that are
// due.
func (t *Table[V]) Expire(now time.Time, most int, expiring func(i int)) (all bool) {
	for at := t.since(now); len(t.queue) > 0 && t.queue[0].at < at; most-- {
		if most <= 0 {
			return false
		}
		n := t.queue[0].number
		if e := &t.entries[n]; e.deadline > t.queue[0].at {
			t.queue[0].at = e.deadline
			t.down(0)
			continue
		}
		expiring(int(n))
		t.Remove(int(n))
	}
	return true
}

func (t *Table[V]) since(at time.Time) int64 { return int64(at.Sub(t.base)) }
