package stream

import "sync"

// Counts are the numbers behind the Stats of a server or a client, in a struct S.
type Counts[S any] struct {
	mu    sync.Mutex
	Stats S // only to select a number for Add
}

// Add increments n, one of the numbers in Stats.
func (c *Counts[S]) Add(n *uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	*n++
}

// Snapshot returns the numbers.
func (c *Counts[S]) Snapshot() S {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Stats
}
