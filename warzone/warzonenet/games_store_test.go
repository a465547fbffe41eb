package warzonenet

import (
	"net/netip"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// A bus connects the Stores of nodes: each receives all changes at once.
type bus struct {
	mu    sync.Mutex
	nodes []*busNode
}

type busNode struct {
	bus     *bus
	puts    []Entry
	removed []uint32
	queue   []func(to *busNode)
	put     func(Entry)
	remove  func(uint32)
	watched int
}

func (n *busNode) Put(e Entry) {
	n.bus.mu.Lock()
	defer n.bus.mu.Unlock()
	n.puts = append(n.puts, e)
	n.queue = append(n.queue, func(to *busNode) { to.put(e) })
}

func (n *busNode) Remove(id uint32) {
	n.bus.mu.Lock()
	defer n.bus.mu.Unlock()
	n.removed = append(n.removed, id)
	n.queue = append(n.queue, func(to *busNode) { to.remove(id) })
}

func (n *busNode) Watch(put func(Entry), remove func(uint32)) (stop func()) {
	n.put, n.remove = put, remove
	n.watched++
	return func() { n.put, n.remove = nil, nil }
}

// flush delivers the pending changes.
func (b *bus) flush() {
	for _, from := range b.nodes {
		b.mu.Lock()
		queue := from.queue
		from.queue = nil
		b.mu.Unlock()
		for _, tell := range queue {
			for _, to := range b.nodes {
				if to != from && to.put != nil {
					tell(to)
				}
			}
		}
	}
}

// told returns the number of times that a node has put a game.
func (n *busNode) told() int {
	synctest.Wait()
	n.bus.mu.Lock()
	defer n.bus.mu.Unlock()
	return len(n.puts)
}

// newNodes returns Games that share a list until the test ends.
func newNodes(t *testing.T, n int) (*bus, []*Games) {
	b := new(bus)
	var all []*Games
	for range n {
		node := &busNode{bus: b}
		b.nodes = append(b.nodes, node)
		g := &Games{Store: node}
		g.join()
		t.Cleanup(g.leave)
		all = append(all, g)
	}
	return b, all
}

func TestStoreShares(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := newNodes(t, 3)
		e := addGame(t, nodes[0], gameAt(1))
		b.flush()
		for i, g := range nodes {
			got, ok := g.FindID(e.ID)
			if !ok || got.Game != e.Game || g.list(warzone.LayoutVersioned).count != 1 {
				t.Errorf("node %d: %+v, %v", i, got, ok)
			}
		}
		if _, err := nodes[1].Update(e.ID, func(*Entry) {}); err != ErrGone {
			t.Errorf("another node's game is changed: %v", err)
		}
		if nodes[1].Remove(e.ID) || nodes[1].Touch(e.ID, time.Time{}) {
			t.Error("another node's game is removed or touched")
		}
		time.Sleep(time.Second)
		nodes[0].Update(e.ID, func(e *Entry) { e.Game.Name = "Updated" })
		b.flush()
		if got, _ := nodes[2].FindID(e.ID); got.Game.Name != "Updated" {
			t.Errorf("node 2: %q", got.Game.Name)
		}
		nodes[0].Remove(e.ID)
		b.flush()
		for i, g := range nodes {
			if g.Stats().Listed != 0 {
				t.Errorf("node %d lists what is gone", i)
			}
		}
	})
}

// The games of a node stay while the node repeats them, and expire after it has
// died.
func TestStoreForgetsANodeThatIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := newNodes(t, 2)
		addGame(t, nodes[0], gameAt(1))
		proposal := gameAt(2)
		proposal.Source, proposal.Expires = SourceText, time.Now().Add(10*time.Minute)
		addGame(t, nodes[0], proposal)
		for range 100 {
			time.Sleep(3 * time.Second)
			b.flush()
		}
		if names := namesOf(nodes[1]); len(names) != 2 {
			t.Errorf("after five minutes: %q", names)
		}
		if puts := b.nodes[0].told(); puts != 2+10 {
			t.Errorf("told %d times", puts)
		}
		time.Sleep(2 * time.Minute)
		if names := namesOf(nodes[1]); !slices.Equal(names, []string{"Game 2"}) {
			t.Errorf("without its node: %q", names)
		}
		time.Sleep(4 * time.Minute)
		if names := namesOf(nodes[1]); len(names) != 0 {
			t.Errorf("after its time: %q", names)
		}
	})
}

// Some heartbeats of a game are shared, not all.
func TestStoreIsToldOfHeartbeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := newNodes(t, 2)
		e := gameAt(1)
		e.Source, e.Expires = SourceJSON, time.Now().Add(2*time.Minute)
		e = addGame(t, nodes[0], e)
		for range 60 {
			time.Sleep(10 * time.Second)
			nodes[0].Touch(e.ID, time.Now().Add(2*time.Minute))
			b.flush()
		}
		if got, puts := nodes[1].Stats().Listed, b.nodes[0].told(); got != 1 || puts != 1+20 {
			t.Errorf("%d listed, told %d times", got, puts)
		}
	})
}

// A host that moves to another node is listed there, whatever the old node puts.
func TestStoreFollowsAHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := newNodes(t, 3)
		before := addGame(t, nodes[0], gameAt(1))
		b.flush()
		time.Sleep(time.Second)
		after := addGame(t, nodes[1], gameAt(1))
		b.flush()
		nodes[0].Remove(before.ID) // the connection to the node before has ended
		b.nodes[2].remove(before.ID)
		b.flush()
		for i, g := range nodes {
			if e, ok := g.Find(before.Key); !ok || e.ID != after.ID {
				t.Errorf("node %d: %+v, %v", i, e, ok)
			}
		}
	})
}

// If two nodes put games at one address, in any order and repeatedly, the game that
// was opened last is listed.
func TestStoreTellsOfTheNodeBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := newNodes(t, 3)
		before := addGame(t, nodes[0], gameAt(1))
		time.Sleep(time.Second)
		after := addGame(t, nodes[1], gameAt(1))
		third := b.nodes[2]
		for _, e := range []Entry{b.nodes[1].puts[0], b.nodes[0].puts[0]} {
			third.put(e)
		}
		if e, ok := nodes[2].Find(before.Key); !ok || e.ID != after.ID {
			t.Errorf("lists %+v, %v", e, ok)
		}
		third.remove(before.ID)
		if nodes[2].Stats().Listed != 1 {
			t.Error("a game is gone with the one before it")
		}
	})
}

// A game whose place was taken is removed, and its node removes it from the Store;
// otherwise a new node would get both.
func TestStoreIsToldOfWhatIsReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := newNodes(t, 2)
		first := addGame(t, nodes[0], gameAt(1))
		time.Sleep(time.Second)
		second := addGame(t, nodes[0], gameAt(1)) // its host has connected again
		if got := b.nodes[0].removed; !slices.Equal(got, []uint32{first.ID}) {
			t.Errorf("removed %d, want %d", got, first.ID)
		}
		b.flush()
		time.Sleep(time.Second)
		addGame(t, nodes[1], gameAt(1)) // and to another node
		b.flush()
		if got := b.nodes[0].removed; !slices.Equal(got, []uint32{first.ID, second.ID}) {
			t.Errorf("removed %d, want %d too", got, second.ID)
		}
		if got := b.nodes[1].removed; len(got) != 0 {
			t.Errorf("the other node removed %d", got)
		}
	})
}

// Only the node that opened a game of a proposal changes it, until its host opens
// it at another.
func TestStoreAndProposals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := newNodes(t, 2)
		var lobbies [2]ProposalLobby
		for i := range lobbies {
			lobbies[i].Games = nodes[i]
			lobbies[i].once.Do(lobbies[i].init)
		}
		do := func(node int, m wzproposal.Request) error {
			_, err := lobbies[node].answer(netip.MustParseAddr("192.0.2.7"), m)
			b.flush()
			time.Sleep(time.Second)
			return err
		}
		opened, closed := wzproposal.OpenGame{Port: 2100, Name: "Game"}, wzproposal.CloseGame{Port: 2100}
		fatalIf(t, do(0, opened))
		for _, m := range []wzproposal.Request{closed, wzproposal.StartGame{Port: 2100}} {
			if err := do(1, m); err != ErrGone {
				t.Errorf("%T at another node: %v", m, err)
			}
		}
		fatalIf(t, do(1, opened))
		if err := do(0, closed); err != ErrGone {
			t.Errorf("closed where it was before: %v", err)
		}
		fatalIf(t, do(1, closed))
		for i, g := range nodes {
			if n := g.Stats().Listed; n != 0 {
				t.Errorf("node %d lists %d", i, n)
			}
		}
	})
}

// Games accepts any entries from a Store, also those of this node.
func TestStoreThatIsBad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := newNodes(t, 1)
		g, store := nodes[0], b.nodes[0]
		own := addGame(t, g, gameAt(1))
		echoed := store.puts[0]
		soon := time.Now().Add(time.Minute)
		other := gameAt(2)
		bad := gameAt(3)
		bad.Game.Version = 9
		for _, e := range []Entry{
			echoed,
			{},
			{ID: 5, Expires: soon},
			{ID: 5, Key: own.Key, Expires: soon, Opened: own.Opened.Add(-time.Second)},
			{ID: own.ID, Key: other.Key, Expires: soon},
			{ID: 6, Key: other.Key, Game: other.Game, Expires: time.Now()},
			{ID: 7, Key: bad.Key, Game: bad.Game, Expires: soon},
			{ID: 8, Key: netip.MustParseAddrPort("0.0.0.0:1"), Expires: soon},
		} {
			store.put(e)
		}
		store.remove(own.ID)
		if e, ok := g.FindID(own.ID); !ok || e != own || g.Stats().Listed != 1 {
			t.Errorf("%+v, %v, %d listed", e, ok, g.Stats().Listed)
		}
		if _, err := g.Update(own.ID, func(*Entry) {}); err != nil {
			t.Error(err)
		}
	})
}

// However fast games change, the Store receives each at most once a second, with the
// latest state, and none for an update that changes nothing.
func TestStoreIsPaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := newNodes(t, 2)
		g := nodes[0]
		busy, idle := addGame(t, g, gameAt(1)), addGame(t, g, gameAt(2))
		changes := g.Changes()
		for i := range 500 {
			_, err := g.Update(busy.ID, func(e *Entry) { e.Game.CurrentPlayers = uint32(i) })
			fatalIf(t, err)
			_, err = g.Update(idle.ID, func(e *Entry) { e.Game = idle.Game })
			fatalIf(t, err)
			time.Sleep(10 * time.Millisecond)
		}
		if n := g.Changes() - changes; n != 500 {
			t.Errorf("%d changes", n)
		}
		time.Sleep(2 * time.Second)
		if n := b.nodes[0].told(); n < 2+5 || n > 2+7 {
			t.Errorf("put %d times", n)
		}
		b.flush()
		if e, _ := nodes[1].FindID(busy.ID); e.Game.CurrentPlayers != 499 {
			t.Errorf("the last state is %+v", e)
		}
	})
}

// Games that come and go get to the Store at most 1000 times a second, and only
// those that it has received are removed there.
func TestStoreIsPacedInTotal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := newNodes(t, 1)
		g, store := nodes[0], b.nodes[0]
		for range 2000 {
			g.Remove(addGame(t, g, gameAt(1)).ID)
		}
		if puts := store.told(); puts != 1000 || len(store.removed) != 1000 {
			t.Errorf("put %d times, removed %d", puts, len(store.removed))
		}
		e := addGame(t, g, gameAt(2))
		time.Sleep(time.Second)
		if n := store.told(); n != 1001 || store.puts[1000].ID != e.ID {
			t.Errorf("put %d times", n)
		}
	})
}

// The Store is watched while any server serves.
func TestStoreIsWatchedByServers(t *testing.T) {
	store := &busNode{bus: new(bus)}
	g := &Games{Store: store}
	g.join()
	g.join()
	g.leave()
	if store.put == nil || store.watched != 1 {
		t.Errorf("watched %d times", store.watched)
	}
	g.leave()
	if store.put != nil {
		t.Error("still watched")
	}
	g.join()
	if store.put == nil || store.watched != 2 {
		t.Errorf("watched %d times", store.watched)
	}
	g.leave()
}
