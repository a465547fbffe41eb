package listcache

import "time"

// Bounds of what a Cache remembers, in addition to what is in progress.
const (
	// maxLists bounds the lists. Only the time of the next fetch remains of others.
	maxLists = 64

	// minSweep is the least number of entries before some are forgotten.
	minSweep = 128
)

// keep sets the last outcome of e. A list may replace the one that can be fetched again
// soonest.
func (c *Cache[T]) keep(e *entry[T], f *flight[T]) {
	c.drop(e)
	e.last = f
	if f.err != nil {
		return // it is small
	}
	if c.values++; c.values > maxLists {
		var soonest *entry[T]
		for _, other := range c.entries {
			if other != e && other.hasList() && (soonest == nil || other.next.Before(soonest.next)) {
				soonest = other
			}
		}
		c.drop(soonest)
	}
}

func (e *entry[T]) hasList() bool { return e.last != nil && e.last.err == nil }

// drop forgets the last outcome of e.
func (c *Cache[T]) drop(e *entry[T]) {
	if e.hasList() {
		c.values--
	}
	e.last = nil
}

// forget removes entries that make no difference any more: they have no list and may be
// fetched. It removes servers without entries whose last failure was so long ago that it
// does not extend the back-off.
func (c *Cache[T]) forget() {
	now := time.Now()
	used := make(map[*server]bool)
	for k, e := range c.entries {
		if e.flight == nil && !e.hasList() && e.next.Before(now) {
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
