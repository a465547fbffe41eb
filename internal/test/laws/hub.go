package laws

import (
	"maps"
	"slices"
	"sync"
	"testing/synctest"
)

// A Hub joins the Stores of nodes: each receives the entries of the others at once. Like
// the nodes that use it, it belongs to one bubble.
type Hub[E any, K comparable] struct {
	Key func(e E) K

	mu    sync.Mutex
	nodes []*Node[E, K]
	all   map[K]E
}

// A Node is the Store of one node.
type Node[E any, K comparable] struct {
	// Deliver and Forget are the functions of the last Watch, which does nothing after its
	// end.
	Deliver func(e E)
	Forget  func(k K)

	hub *Hub[E, K]

	// Under hub.mu.
	dead    bool
	stops   int
	puts    []E
	removed []K
	expired []K
}

// Node returns the Store of a new node.
func (h *Hub[E, K]) Node() *Node[E, K] { return &Node[E, K]{hub: h} }

// All returns what a node that joins receives.
func (h *Hub[E, K]) All() map[K]E {
	synctest.Wait() // timers put and remove, too
	h.mu.Lock()
	defer h.mu.Unlock()
	return maps.Clone(h.all)
}

// Put delivers an entry to the other nodes.
func (n *Node[E, K]) Put(e E) {
	n.tell(func() {
		n.puts = append(n.puts, e)
		if n.hub.all == nil {
			n.hub.all = make(map[K]E)
		}
		n.hub.all[n.hub.Key(e)] = e
	}, func(to *Node[E, K]) { to.Deliver(e) })
}

// Remove removes an entry from the other nodes.
func (n *Node[E, K]) Remove(k K) {
	n.tell(func() {
		n.removed = append(n.removed, k)
		delete(n.hub.all, k)
	}, func(to *Node[E, K]) { to.Forget(k) })
}

// tell calls note, and then send for each other node, unless n is dead. The hub is not locked
// during send, because a node may then expire servers in its own Store.
func (n *Node[E, K]) tell(note func(), send func(to *Node[E, K])) {
	for _, to := range n.others(note) {
		send(&to)
	}
}

// others calls note, and returns the watches of the other nodes, unless n is dead.
func (n *Node[E, K]) others(note func()) (all []Node[E, K]) {
	n.hub.mu.Lock()
	defer n.hub.mu.Unlock()
	if n.dead {
		return nil
	}
	note()
	for _, to := range n.hub.nodes {
		if to != n {
			all = append(all, Node[E, K]{Deliver: to.Deliver, Forget: to.Forget})
		}
	}
	return all
}

// Expire only notes an entry: it expires at other nodes, too.
func (n *Node[E, K]) Expire(k K) {
	n.hub.mu.Lock()
	defer n.hub.mu.Unlock()
	n.expired = append(n.expired, k)
}

// Watch delivers all entries, and later entries of other nodes until stop is called.
func (n *Node[E, K]) Watch(put func(e E), remove func(k K)) (stop func()) {
	n.hub.mu.Lock()
	defer n.hub.mu.Unlock()
	n.Deliver, n.Forget = put, remove
	n.hub.nodes = append(n.hub.nodes, n)
	for _, e := range n.hub.all {
		put(e)
	}
	return func() {
		n.hub.mu.Lock()
		defer n.hub.mu.Unlock()
		n.stops++
		n.Deliver, n.Forget = func(E) {}, func(K) {}
	}
}

// Die disconnects n from the other nodes, as if it had been killed.
func (n *Node[E, K]) Die() {
	n.hub.mu.Lock()
	defer n.hub.mu.Unlock()
	n.dead = true
}

// Puts returns what Put has received, once nothing of the test's bubble runs.
func (n *Node[E, K]) Puts() []E { return received(n.hub, &n.puts) }

// Removed returns what Remove has received.
func (n *Node[E, K]) Removed() []K { return received(n.hub, &n.removed) }

// Expired returns what Expire has received.
func (n *Node[E, K]) Expired() []K { return received(n.hub, &n.expired) }

func received[T, E any, K comparable](h *Hub[E, K], list *[]T) []T {
	synctest.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(*list)
}

// Stopped reports whether Watch was ended.
func (n *Node[E, K]) Stopped() bool {
	n.hub.mu.Lock()
	defer n.hub.mu.Unlock()
	return n.stops > 0
}
