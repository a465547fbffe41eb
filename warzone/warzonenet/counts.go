package warzonenet

import "sync"

// counts are the counts behind the Stats of a lobby or a host.
type counts[S any] struct {
	counting sync.Mutex
	stats    S
}

// count increments one of the stats.
func (c *counts[S]) count(n *uint64) {
	c.counting.Lock()
	defer c.counting.Unlock()
	*n++
}

func (c *counts[S]) snapshot() S {
	c.counting.Lock()
	defer c.counting.Unlock()
	return c.stats
}
