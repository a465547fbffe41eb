package cluster

import (
	"slices"
	"time"
)

// A State is the state of a node.
type State struct {
	// Connected reports whether the node can reach the bucket and its copy is up to
	// date. Otherwise it serves its last copy.
	Connected bool

	Since   time.Time // start of the connection or, if cut off, its end
	Node    string    // the name of this node
	Nodes   []string  // nodes that are up, as far as this node knows, sorted
	Entries int       // of all nodes
	Queued  int       // entries of this node that wait to be written
	Dropped uint64    // entries not shared because there were too many
}

// State returns the current state.
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
	for node, p := range c.link.heard {
		if now.Sub(p.at) <= patience {
			s.Nodes = append(s.Nodes, node)
		}
	}
	slices.Sort(s.Nodes)
	return s
}
