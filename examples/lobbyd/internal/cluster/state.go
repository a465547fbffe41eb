package cluster

import (
	"slices"
	"time"
)

// A State is how a node is doing.
type State struct {
	// Connected tells that the node reaches the bucket, and its copy is up to
	// date. Otherwise it serves the last copy.
	Connected bool

	Since   time.Time // when that began; if not connected, when it last was
	Node    string    // the name of this node
	Nodes   []string  // those that are up, as far as is known here, in order
	Entries int       // of this node and of all others
	Queued  int       // entries of this node that wait to be written
	Dropped uint64    // entries not shared because there were too many
}

// State returns how the node is doing now.
func (c *Cluster) State() State {
	now := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	s := State{
		Connected: c.link.connected,
		Since:     c.link.since,
		Node:      c.self.node,
		Nodes:     []string{c.self.node},
		Entries:   len(c.copy.held) + c.own.live,
		Queued:    len(c.own.due) + c.own.writing,
		Dropped:   c.own.dropped,
	}
	for node, heard := range c.link.heard {
		if now.Sub(heard) <= patience {
			s.Nodes = append(s.Nodes, node)
		}
	}
	slices.Sort(s.Nodes)
	return s
}
