package warzonegames_test

import (
	"net/netip"
	"reflect"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

func TestStoreSharesGamesOfAllNodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := gamestest.Nodes(t, 3)
		e := gamestest.Add(t, nodes[0], gamestest.At(1))
		b.Flush()
		for i, g := range nodes {
			got, ok := g.FindID(e.ID)
			if !ok || got.Game != e.Game || g.ForLobbies().Records(warzone.LayoutVersioned).Count != 1 {
				t.Errorf("node %d: %+v, %v", i, got, ok)
			}
		}
		if _, err := nodes[1].Update(e.ID, func(*warzonegames.Entry) {}); err != warzonegames.ErrGone {
			t.Errorf("another node's game is changed: %v", err)
		}
		if nodes[1].Remove(e.ID) || nodes[1].ForLobbies().Touch(e.ID, time.Time{}) {
			t.Error("another node's game is removed or touched")
		}
		time.Sleep(time.Second)
		nodes[0].Update(e.ID, func(e *warzonegames.Entry) { e.Game.Name = "Updated" })
		b.Flush()
		if got, _ := nodes[2].FindID(e.ID); got.Game.Name != "Updated" {
			t.Errorf("node 2: %q", got.Game.Name)
		}
		nodes[0].Remove(e.ID)
		b.Flush()
		for i, g := range nodes {
			if g.Stats().Listed != 0 {
				t.Errorf("node %d lists what is gone", i)
			}
		}
	})
}

// Flush sends changes that would wait for a second.
func TestFlushSendsWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := gamestest.Nodes(t, 2)
		e := gamestest.Add(t, nodes[0], gamestest.At(1))
		gone := gamestest.Add(t, nodes[0], gamestest.At(2))
		for _, id := range []uint32{e.ID, gone.ID} {
			nodes[0].Update(id, func(e *warzonegames.Entry) { e.Game.Name = "Updated" })
		}
		nodes[0].Remove(gone.ID)
		nodes[0].Flush()
		b.Flush()
		if names := gamestest.Names(nodes[1]); !slices.Equal(names, []string{"Updated"}) {
			t.Errorf("the other node has %q", names)
		}
		told := len(b.Nodes[0].Puts())
		time.Sleep(5 * time.Second)
		if got := len(b.Nodes[0].Puts()); got != told {
			t.Errorf("told %d times more", got-told)
		}
	})
}

// The games of a node stay while the node repeats them, and expire after it has
// died.
func TestStoreForgetsANodeThatIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := gamestest.Nodes(t, 2)
		gamestest.Add(t, nodes[0], gamestest.At(1))
		proposal := gamestest.At(2)
		proposal.Source, proposal.Expires = warzonegames.SourceText, time.Now().Add(10*time.Minute)
		gamestest.Add(t, nodes[0], proposal)
		for range 100 {
			time.Sleep(3 * time.Second)
			b.Flush()
		}
		if names := gamestest.Names(nodes[1]); len(names) != 2 {
			t.Errorf("after five minutes: %q", names)
		}
		if puts := len(b.Nodes[0].Puts()); puts != 2+10 {
			t.Errorf("told %d times", puts)
		}
		time.Sleep(2 * time.Minute)
		if names := gamestest.Names(nodes[1]); !slices.Equal(names, []string{"Game 2"}) {
			t.Errorf("without its node: %q", names)
		}
		time.Sleep(4 * time.Minute)
		if names := gamestest.Names(nodes[1]); len(names) != 0 {
			t.Errorf("after its time: %q", names)
		}
		if here, there := b.Nodes[0].Expired(), b.Nodes[1].Expired(); len(here) != 1 || len(there) != 2 {
			t.Errorf("expired at its node: %d, at the other one: %d", here, there)
		}
	})
}

// Some heartbeats of a game are shared, not all.
func TestStoreIsToldOfHeartbeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := gamestest.Nodes(t, 2)
		e := gamestest.At(1)
		e.Source, e.Expires = warzonegames.SourceJSON, time.Now().Add(2*time.Minute)
		e = gamestest.Add(t, nodes[0], e)
		for range 60 {
			time.Sleep(10 * time.Second)
			nodes[0].ForLobbies().Touch(e.ID, time.Now().Add(2*time.Minute))
			b.Flush()
		}
		if got, puts := nodes[1].Stats().Listed, len(b.Nodes[0].Puts()); got != 1 || puts != 1+20 {
			t.Errorf("%d listed, told %d times", got, puts)
		}
	})
}

// A host that moves to another node is listed there, whatever the old node puts.
func TestStoreFollowsAHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := gamestest.Nodes(t, 3)
		before := gamestest.Add(t, nodes[0], gamestest.At(1))
		b.Flush()
		time.Sleep(time.Second)
		after := gamestest.Add(t, nodes[1], gamestest.At(1))
		b.Flush()
		nodes[0].Remove(before.ID) // the connection to the node before has ended
		b.Nodes[2].Forget(before.ID)
		b.Flush()
		for i, g := range nodes {
			if e, ok := g.ForLobbies().Find(before.Key); !ok || e.ID != after.ID {
				t.Errorf("node %d: %+v, %v", i, e, ok)
			}
		}
	})
}

// If two nodes put games at one address, in any order and repeatedly, the game that
// was opened last is listed.
func TestStoreTellsOfTheNodeBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := gamestest.Nodes(t, 3)
		before := gamestest.Add(t, nodes[0], gamestest.At(1))
		time.Sleep(time.Second)
		after := gamestest.Add(t, nodes[1], gamestest.At(1))
		third := b.Nodes[2]
		for _, e := range []warzonegames.Entry{b.Nodes[1].Puts()[0], b.Nodes[0].Puts()[0]} {
			third.Deliver(e)
		}
		if e, ok := nodes[2].ForLobbies().Find(before.Key); !ok || e.ID != after.ID {
			t.Errorf("lists %+v, %v", e, ok)
		}
		third.Forget(before.ID)
		if nodes[2].Stats().Listed != 1 {
			t.Error("a game is gone with the one before it")
		}
	})
}

// A game whose place was taken is removed, and its node removes it from the Store;
// otherwise a new node would get both.
func TestStoreIsToldOfWhatIsReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := gamestest.Nodes(t, 2)
		first := gamestest.Add(t, nodes[0], gamestest.At(1))
		time.Sleep(time.Second)
		second := gamestest.Add(t, nodes[0], gamestest.At(1)) // its host has connected again
		if got := b.Nodes[0].Removed(); !slices.Equal(got, []uint32{first.ID}) {
			t.Errorf("removed %d, want %d", got, first.ID)
		}
		b.Flush()
		time.Sleep(time.Second)
		gamestest.Add(t, nodes[1], gamestest.At(1)) // and to another node
		b.Flush()
		if got := b.Nodes[0].Removed(); !slices.Equal(got, []uint32{first.ID, second.ID}) {
			t.Errorf("removed %d, want %d too", got, second.ID)
		}
		if got := b.Nodes[1].Removed(); len(got) != 0 {
			t.Errorf("the other node removed %d", got)
		}
	})
}

// warzonegames.Games accepts any entries from a Store, also entries of this node.
func TestEntriesOfABadStoreDoNoHarm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := gamestest.Nodes(t, 1)
		g, store := nodes[0], b.Nodes[0]
		own := gamestest.Add(t, g, gamestest.At(1))
		echoed := store.Puts()[0]
		soon := time.Now().Add(time.Minute)
		other := gamestest.At(2)
		bad := gamestest.At(3)
		bad.Game.Version = 9
		for _, e := range []warzonegames.Entry{
			echoed,
			{},
			{ID: 5, Expires: soon},
			{ID: 5, Key: own.Key, Expires: soon, Opened: own.Opened.Add(-time.Second)},
			{ID: own.ID, Key: other.Key, Expires: soon},
			{ID: 6, Key: other.Key, Game: other.Game, Expires: time.Now()},
			{ID: 7, Key: bad.Key, Game: bad.Game, Expires: soon},
			{ID: 8, Key: netip.MustParseAddrPort("0.0.0.0:1"), Expires: soon},
		} {
			store.Deliver(e)
		}
		store.Forget(own.ID)
		if e, ok := g.FindID(own.ID); !ok || !reflect.DeepEqual(e, own) || g.Stats().Listed != 1 {
			t.Errorf("%+v, %v, %d listed", e, ok, g.Stats().Listed)
		}
		if _, err := g.Update(own.ID, func(*warzonegames.Entry) {}); err != nil {
			t.Error(err)
		}
	})
}

// However fast games change, the Store receives each at most once a second, with the
// latest state, and none for an update that changes nothing.
func TestStoreIsPaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := gamestest.Nodes(t, 2)
		g := nodes[0]
		busy, idle := gamestest.Add(t, g, gamestest.At(1)), gamestest.Add(t, g, gamestest.At(2))
		for i := range 500 {
			_, err := g.Update(busy.ID, func(e *warzonegames.Entry) { e.Game.CurrentPlayers = uint32(i) })
			fatalIf(t, err)
			_, err = g.Update(idle.ID, func(e *warzonegames.Entry) { e.Game = idle.Game })
			fatalIf(t, err)
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(2 * time.Second)
		if n := len(b.Nodes[0].Puts()); n < 2+5 || n > 2+7 {
			t.Errorf("put %d times", n)
		}
		b.Flush()
		if e, _ := nodes[1].FindID(busy.ID); e.Game.CurrentPlayers != 499 {
			t.Errorf("the last state is %+v", e)
		}
	})
}

// warzonegames.Games that come and go get to the Store at most 1000 times a second, and only
// those that it has received are removed there.
func TestStoreIsPacedInTotal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := gamestest.Nodes(t, 1)
		g, store := nodes[0], b.Nodes[0]
		for range 2000 {
			g.Remove(gamestest.Add(t, g, gamestest.At(1)).ID)
		}
		if puts := len(store.Puts()); puts != 1000 || len(store.Removed()) != 1000 {
			t.Errorf("put %d times, removed %d", puts, len(store.Removed()))
		}
		e := gamestest.Add(t, g, gamestest.At(2))
		time.Sleep(time.Second)
		if n := len(store.Puts()); n != 1001 || store.Puts()[1000].ID != e.ID {
			t.Errorf("put %d times", n)
		}
	})
}

// The Store is watched while any server serves.
func TestStoreIsWatchedByServers(t *testing.T) {
	store := new(gamestest.Bus).Add()
	g := &warzonegames.Games{Store: store}
	first, second := g.ForLobbies().Share(), g.ForLobbies().Share()
	first()
	first()
	if store.Deliver == nil || store.Watched != 1 {
		t.Errorf("watched %d times", store.Watched)
	}
	second()
	if store.Deliver != nil {
		t.Error("still watched")
	}
	stop := g.ForLobbies().Share()
	if store.Deliver == nil || store.Watched != 2 {
		t.Errorf("watched %d times", store.Watched)
	}
	stop()
}
