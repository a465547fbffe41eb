package listcache

import (
	"slices"
	"time"
)

// Bounds of what a Cache remembers, in addition to what is in progress.
const (
	// maxLists bounds the lists. Only the time of the next fetch remains of others.
	maxLists = 64

	// minSweep is the least number of entries before some are forgotten.
	minSweep = 128
)

// forgetLists forgets a list other than e if there are too many: the list that can be
// fetched again soonest.
func (c *Cache[T]) forgetLists(e *entry[T]) {
	var others []*entry[T]
	for _, other := range c.entries {
		if other != e && other.hasList() {
			others = append(others, other)
		}
	}
	if e.hasList() && len(others) >= maxLists {
		slices.MinFunc(others, func(a, b *entry[T]) int { return a.next.Compare(b.next) }).flight = nil
	}
}

// hasList reports whether the last flight of e has fetched a list.
func (e *entry[T]) hasList() bool { return e.flight != nil && e.flight.ended && e.flight.err == nil }

// forget removes entries that make no difference any more: they have no list and may be
// fetched. It removes servers without entries whose last failure was so long ago that it
// does not extend the back-off.
func (c *Cache[T]) forget() {
	now := time.Now()
	used := make(map[*server]bool)
	for k, e := range c.entries {
		isFlying := e.flight != nil && !e.flight.ended
		if !isFlying && !e.hasList() && e.next.Before(now) {
			delete(c.entries, k)
			continue
		}
		used[e.server] = true
	}
	for name, s := range c.servers {
		end := s.next
		if s.failures > 0 {
			end = end.Add(maxBackoff)
		}
		if !used[s] && end.Before(now) {
			delete(c.servers, name)
		}
	}
	c.sweep = max(minSweep, 2*len(c.entries))
}
