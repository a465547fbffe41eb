// Package counts has the counts behind the Stats of a lobby or a host.
package counts

import "sync"

// Of are counts in a struct of numbers.
type Of[S any] struct {
	mu    sync.Mutex
	Stats S // only to select a number for Add
}

// Add increments n, one of the numbers in Stats.
func (c *Of[S]) Add(n *uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	*n++
}

// Snapshot returns the counts.
func (c *Of[S]) Snapshot() S {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Stats
}
