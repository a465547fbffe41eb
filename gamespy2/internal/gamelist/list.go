package gamelist

import (
	"net/netip"
	"slices"
)

// A List holds the servers of a game, with their latest changes. The caller guards it; only
// Encoded has its own lock.
type List struct {
	Encoded Cache

	listings []*Listing // by place, in no particular order

	changes []netip.AddrPort // the last MaxChanges, as a ring
	changed uint64           // number of changes so far
	wake    chan struct{}
	ended   bool
}

// MaxChanges is the number of changes that a List keeps.
const MaxChanges = 4096

// A Change is a server that is new in a list or has changed, or was removed.
type Change struct {
	Addr   netip.AddrPort
	Server *Listing // nil if it is not in the list now
}

// Add lists a server and returns its place.
func (g *List) Add(l *Listing) (place int) {
	g.listings = append(g.listings, l)
	g.note(l.Addr)
	return len(g.listings) - 1
}

// Replace changes the server at a place.
func (g *List) Replace(place int, l *Listing) {
	if !l.isSame(g.listings[place]) {
		g.note(l.Addr)
	}
	g.listings[place] = l
}

// Remove moves the last server to a place, and returns its number.
func (g *List) Remove(place int) (moved int) {
	g.note(g.listings[place].Addr)
	end := len(g.listings) - 1
	last := g.listings[end]
	g.listings[place] = last
	g.listings = slices.Delete(g.listings, end, end+1)
	return last.Owner
}

// End makes ChangesSince fail from now on.
func (g *List) End() {
	g.ended = true
	g.announce()
}

// Snapshot returns all listings, and the position from which ChangesSince continues without
// a gap. If there were no changes since a position, all is nil.
func (g *List) Snapshot(since uint64) (all []*Listing, position uint64) {
	if g.changed > since {
		all = slices.Clone(g.listings)
	}
	return all, g.changed
}

// ChangesSince appends the changes after a position, oldest first, and returns the position
// after them. find returns the current servers. If some of the changes are no longer kept,
// or the list has ended, ok is false. The channel wake is closed at the next change.
func (g *List) ChangesSince(position uint64, find func(addr netip.AddrPort) *Listing, dst []Change) (
	changes []Change, next uint64, wake <-chan struct{}, ok bool) {
	if g.ended || g.changed-position > uint64(len(g.changes)) {
		return dst, g.changed, nil, false
	}
	for ; position < g.changed; position++ {
		addr := g.changes[position%MaxChanges]
		dst = append(dst, Change{addr, find(addr)})
	}
	if g.wake == nil {
		g.wake = make(chan struct{})
	}
	return dst, position, g.wake, true
}

// note appends a change of a server and wakes the goroutines that wait for one. The changes
// contain no listings, because they would keep old ones in memory.
func (g *List) note(server netip.AddrPort) {
	if len(g.changes) < MaxChanges {
		g.changes = append(g.changes, server)
	} else {
		g.changes[g.changed%MaxChanges] = server
	}
	g.changed++
	g.announce()
}

// announce wakes the goroutines that wait for a change.
func (g *List) announce() {
	if g.wake != nil {
		close(g.wake)
		g.wake = nil
	}
}
