package gamestest

import (
	"sync"
	"testing"
	"testing/synctest"

	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// A Bus connects the Stores of nodes: each receives all changes at once.
type Bus struct {
	Nodes []*Node

	mu sync.Mutex
}

// A Node is the Store of one node. Its lists may be read while nothing changes.
type Node struct {
	Puts    []warzonegames.Entry // what Put has received
	Removed []uint32             // what Remove has received
	Expired []uint32             // what Expire has received
	Watched int                  // how often Watch was called

	Deliver func(warzonegames.Entry) // the put of Watch; nil if nothing watches
	Forget  func(id uint32)          // the remove of Watch

	bus   *Bus
	queue []func(to *Node)
}

// Add adds a node.
func (b *Bus) Add() *Node {
	n := &Node{bus: b}
	b.Nodes = append(b.Nodes, n)
	return n
}

// Put shares a game with the next Flush.
func (n *Node) Put(e warzonegames.Entry) {
	n.bus.mu.Lock()
	defer n.bus.mu.Unlock()
	n.Puts = append(n.Puts, e)
	n.queue = append(n.queue, func(to *Node) { to.Deliver(e) })
}

// Remove removes a game from the other nodes with the next Flush.
func (n *Node) Remove(id uint32) {
	n.bus.mu.Lock()
	defer n.bus.mu.Unlock()
	n.Removed = append(n.Removed, id)
	n.queue = append(n.queue, func(to *Node) { to.Forget(id) })
}

// Expire only notes a game: other nodes need no news of it.
func (n *Node) Expire(id uint32) {
	n.bus.mu.Lock()
	defer n.bus.mu.Unlock()
	n.Expired = append(n.Expired, id)
}

// Watch keeps the functions for Flush.
func (n *Node) Watch(put func(warzonegames.Entry), remove func(uint32)) (stop func()) {
	n.Deliver, n.Forget = put, remove
	n.Watched++
	return func() { n.Deliver, n.Forget = nil, nil }
}

// Flush delivers the pending changes.
func (b *Bus) Flush() {
	for _, from := range b.Nodes {
		b.mu.Lock()
		queue := from.queue
		from.queue = nil
		b.mu.Unlock()
		for _, tell := range queue {
			for _, to := range b.Nodes {
				if to != from && to.Deliver != nil {
					tell(to)
				}
			}
		}
	}
}

// Told returns the number of times that a node has put a game.
func (n *Node) Told() int {
	synctest.Wait()
	n.bus.mu.Lock()
	defer n.bus.mu.Unlock()
	return len(n.Puts)
}

// Nodes returns Games that share a list until the test ends.
func Nodes(t *testing.T, n int) (*Bus, []*warzonegames.Games) {
	b := new(Bus)
	var all []*warzonegames.Games
	for range n {
		g := &warzonegames.Games{Store: b.Add()}
		t.Cleanup(g.Share())
		all = append(all, g)
	}
	return b, all
}
