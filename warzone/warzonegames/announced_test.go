package warzonegames_test

import (
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/warzone/internal/gamelist"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// announced returns a game that is not published, and was announced by its host just now.
func announced(id uint32) warzonegames.Entry {
	e := gamestest.At(int(id))
	e.Key = netip.AddrPortFrom(e.Key.Addr(), 0)
	e.ID, e.Source, e.HTTP.Session = id, warzonegames.SourceHTTP, 7
	e.Seen, e.Expires = time.Now(), time.Now().Add(time.Minute)
	return e
}

// Games that nodes announce to each other take bounded memory, and cannot replace one
// that is published.
func TestGamesBoundAnnounced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const maxElsewhere = 4096
		b, nodes := gamestest.Nodes(t, 1)
		g, store := nodes[0], b.Nodes[0]
		listed := gamestest.Add(t, g, gamestest.At(1))
		store.Deliver(announced(listed.ID))
		if e, _ := g.FindID(listed.ID); !e.Published() {
			t.Error("a game that is published is announced")
		}
		expired := announced(1)
		expired.Expires = time.Now()
		store.Deliver(expired)
		kept := func() (n int) {
			for id := range uint32(maxElsewhere + 10) {
				if e, ok := g.FindID(1 + id); ok && !e.Published() {
					n++
				}
			}
			return n
		}
		if n := kept(); n != 0 {
			t.Errorf("%d games are kept that have expired", n)
		}
		for id := range uint32(maxElsewhere + 10) {
			store.Deliver(announced(1 + id))
		}
		if n := kept(); n != maxElsewhere || g.Stats().Listed != 1 || g.Stats().Announced != 0 {
			t.Errorf("%d games are kept, %+v", n, g.Stats())
		}
		time.Sleep(time.Minute + 1)
		if n := kept(); n != 0 {
			t.Errorf("%d games are kept for ever", n)
		}
	})
}

// A node adopts no more unpublished games than it accepts.
func TestAdoptIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := gamestest.Nodes(t, 1)
		g, store := nodes[0], b.Nodes[0]
		for id := range uint32(65) {
			e := announced(1 + id)
			e.Key = announced(1).Key
			store.Deliver(e)
			_, err := g.ForLobbies().Adopt(e.ID, func(*warzonegames.Entry) {})
			if want := id < 64; (err == nil) != want || !want && err != gamelist.ErrUnpublished {
				t.Errorf("game %d: %v", id, err)
			}
		}
		if n := g.Stats().Announced; n != 64 {
			t.Errorf("%d games", n)
		}
		if !g.Remove(65) || !g.Remove(1) || !slices.Equal(store.Removed(), []uint32{65, 1}) {
			t.Errorf("removed %v", store.Removed())
		}
	})
}

// Each node keeps the latest state of an unpublished game, with the addresses that its
// host has announced at any node, and of each the best result.
func TestAnnouncementsOfNodesAreMerged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := gamestest.Nodes(t, 1)
		g, store := nodes[0], b.Nodes[0]
		address := func(kind wzhttp.ConnectionType, status wzhttp.Validation) gamelist.AnnouncedAddress {
			return gamelist.AnnouncedAddress{Kind: kind, At: gamestest.Key(1), Status: status}
		}
		e := announced(1)
		e.HTTP.Announced = []gamelist.AnnouncedAddress{
			address(wzhttp.TCP4, wzhttp.ValidationValidated), address(wzhttp.TCP6, wzhttp.ValidationSubmitted),
		}
		_, err := g.ForLobbies().Announce(e)
		fatalIf(t, err)
		for _, tt := range []struct {
			name    string
			seen    time.Duration // after the host's request here
			want    string
			session uint64
		}{
			{"another", time.Second, "Game 1", 8},
			{"earlier", -time.Second, "Game 1", 7},
			{"later", time.Second, "later", 7},
		} {
			theirs := announced(1)
			theirs.Game.Name, theirs.HTTP.Session = tt.name, tt.session
			theirs.Seen = theirs.Seen.Add(tt.seen)
			theirs.HTTP.Announced = []gamelist.AnnouncedAddress{
				address(wzhttp.TCP6, wzhttp.ValidationError), address(wzhttp.TCP4, wzhttp.ValidationError),
				address(wzhttp.TCP, wzhttp.ValidationSubmitted), {Kind: "a faulty Store"},
			}
			store.Deliver(theirs)
			got, _ := g.FindID(1)
			want := []gamelist.AnnouncedAddress{address(wzhttp.TCP4, wzhttp.ValidationValidated),
				address(wzhttp.TCP6, wzhttp.ValidationError), address(wzhttp.TCP, wzhttp.ValidationSubmitted)}
			if tt.session != e.HTTP.Session {
				want = e.HTTP.Announced
			}
			if got.Game.Name != tt.want || !slices.Equal(got.HTTP.Announced, want) {
				t.Errorf("%s: %q, %v", tt.name, got.Game.Name, got.HTTP.Announced)
			}
		}
	})
}

// The Store receives a game that is not published at most once a second, and the last state
// of it, also after it is published.
func TestStoreIsPacedBeforeGamesArePublished(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := gamestest.Nodes(t, 1)
		g, store := nodes[0], b.Nodes[0]
		e, err := g.ForLobbies().Announce(announced(5))
		fatalIf(t, err)
		for i := range 500 {
			_, err := g.Update(e.ID, func(e *warzonegames.Entry) { e.Game.CurrentPlayers = uint32(i) })
			fatalIf(t, err)
			time.Sleep(10 * time.Millisecond)
		}
		e, err = g.Update(e.ID, func(e *warzonegames.Entry) { e.Key = gamestest.Key(5) })
		fatalIf(t, err)
		time.Sleep(2 * time.Second)
		n := len(store.Puts())
		if n < 1+5 || n > 1+7 {
			t.Errorf("put %d times in seven seconds", n)
		}
		if last := store.Puts()[n-1]; last.Game.CurrentPlayers != 499 || last.Key != e.Key {
			t.Errorf("the last state is %+v", last)
		}
		g.Remove(e.ID)
		if !slices.Equal(store.Removed(), []uint32{e.ID}) {
			t.Errorf("removed: %v", store.Removed())
		}
	})
}

// All games count, whether they are published or not. Of those that are not, a Games
// accepts a bounded number, and forgets them soon.
func TestStoreIsPacedInTotalBeforeGamesArePublished(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := gamestest.Nodes(t, 1)
		g, store := nodes[0], b.Nodes[0]
		for id := range uint32(10_000) {
			e := announced(1 + id<<8) // each from another network
			e.Key = netip.AddrPortFrom(gamestest.Key(int(e.ID)).Addr(), 0)
			_, err := g.ForLobbies().Announce(e)
			if want := id < 4096; (err == nil) != want || !want && err != gamelist.ErrUnpublished {
				t.Fatalf("game %d: %v", id, err)
			}
		}
		for _, want := range []int{1000, 2000, 3000, 4000, 4096, 4096} {
			if n := len(store.Puts()); n != want {
				t.Errorf("put %d times, want %d", n, want)
			}
			time.Sleep(time.Second)
		}
		time.Sleep(20 * time.Second) // no host sends another request
		e, err := g.ForLobbies().Announce(announced(5))
		fatalIf(t, err)
		if n := len(store.Puts()); n != 4097 || g.Stats().Announced != 1 {
			t.Error("a later game is not put")
		}
		_, err = g.Update(e.ID, func(e *warzonegames.Entry) { e.Game.Name = "Changed" })
		fatalIf(t, err)
		g.Remove(e.ID)
		time.Sleep(2 * time.Second)
		if n := len(store.Puts()); n != 4097 || !slices.Equal(store.Removed(), []uint32{e.ID}) {
			t.Errorf("put %d times, removed %v", n, store.Removed())
		}
	})
}
