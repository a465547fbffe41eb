package gamestest

import (
	"slices"
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

// A Node is the Store of one node.
type Node struct {
	Watched int // how often Watch was called

	Deliver func(warzonegames.Entry) // the put of Watch; nil if nothing watches
	Forget  func(id uint32)          // the remove of Watch

	bus *Bus

	// Under bus.mu.
	puts             []warzonegames.Entry
	removed, expired []uint32
	queue            []func(to *Node)
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
	n.puts = append(n.puts, e)
	n.queue = append(n.queue, func(to *Node) { to.Deliver(e) })
}

// Remove removes a game from the other nodes with the next Flush.
func (n *Node) Remove(id uint32) {
	n.bus.mu.Lock()
	defer n.bus.mu.Unlock()
	n.removed = append(n.removed, id)
	n.queue = append(n.queue, func(to *Node) { to.Forget(id) })
}

// Expire only notes a game, because other nodes need not know.
func (n *Node) Expire(id uint32) {
	n.bus.mu.Lock()
	defer n.bus.mu.Unlock()
	n.expired = append(n.expired, id)
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

// Puts returns what Put has received, once nothing of the test's bubble runs.
func (n *Node) Puts() []warzonegames.Entry { return received(n.bus, &n.puts) }

// Removed returns what Remove has received.
func (n *Node) Removed() []uint32 { return received(n.bus, &n.removed) }

// Expired returns what Expire has received.
func (n *Node) Expired() []uint32 { return received(n.bus, &n.expired) }

func received[T any](b *Bus, list *[]T) []T {
	synctest.Wait() // timers put and remove, too
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(*list)
}

// Nodes returns Games that share a list until the test ends.
func Nodes(t *testing.T, n int) (*Bus, []*warzonegames.Games) {
	b := new(Bus)
	var all []*warzonegames.Games
	for range n {
		g := &warzonegames.Games{Store: b.Add()}
		t.Cleanup(g.ForLobbies().Share())
		all = append(all, g)
	}
	return b, all
}
