package warzonegames_test

import (
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// Games that nodes announce to each other take bounded memory, and cannot replace one
// that is listed.
func TestGamesBoundAnnounced(t *testing.T) {
	const session, maxAnnounced = 7, 4096
	g := new(warzonegames.Games)
	listed := gamestest.Add(t, g, gamestest.At(1))
	announce := func(id uint32, life time.Duration) {
		e := gamestest.At(2)
		e.Key = netip.AddrPortFrom(e.Key.Addr(), 0)
		e.Source, e.HTTP.Session = warzonegames.SourceHTTP, session
		e.ID, e.Expires = id, time.Now().Add(life)
		g.KeepAnnounced(e)
	}
	announce(listed.ID, time.Minute)
	if _, ok := g.TakeAnnounced(listed.ID, session); ok {
		t.Error("a listed game is announced")
	}
	announce(1, -time.Second)
	for id := range uint32(maxAnnounced + 10) {
		announce(1+id, time.Minute)
	}
	kept := 0
	for id := range uint32(maxAnnounced + 10) {
		if _, ok := g.TakeAnnounced(1+id, session); ok {
			kept++
		}
	}
	if kept != maxAnnounced || g.Stats().Listed != 1 {
		t.Errorf("%d games are kept, %d listed", kept, g.Stats().Listed)
	}
}

// The Store receives a game that is not published at most once a second, and the last state
// of it, also after it is published.
func TestStoreIsPacedBeforeGamesArePublished(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := gamestest.Nodes(t, 1)
		g, store := nodes[0], b.Nodes[0]
		e := gamestest.At(1)
		e.ID, e.Source, e.HTTP.Session = 5, warzonegames.SourceHTTP, 7
		for i := range 500 {
			e.Key, e.Expires = netip.AddrPortFrom(e.Key.Addr(), 0), time.Now().Add(time.Minute)
			e.Game.CurrentPlayers = uint32(i)
			g.Announce(e)
			time.Sleep(10 * time.Millisecond)
		}
		e.Key = gamestest.At(1).Key
		gamestest.Add(t, g, e)
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

// All games count, whether they are published or not. Of those that are not, a Games keeps
// a bounded number.
func TestStoreIsPacedInTotalBeforeGamesArePublished(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := gamestest.Nodes(t, 1)
		g, store := nodes[0], b.Nodes[0]
		e := gamestest.At(1)
		e.Key, e.Source = netip.AddrPortFrom(e.Key.Addr(), 0), warzonegames.SourceHTTP
		e.Expires = time.Now().Add(time.Hour)
		for id := range uint32(10_000) {
			e.ID = 1 + id
			g.Announce(e)
		}
		for _, want := range []int{1000, 2000, 3000, 4000, 4096, 4096} {
			if n := len(store.Puts()); n != want {
				t.Errorf("put %d times, want %d", n, want)
			}
			time.Sleep(time.Second)
		}
		e.ID = 20_000
		g.Announce(e)
		if n := len(store.Puts()); n != 4097 {
			t.Error("a later game is not put")
		}
		g.Announce(e)
		g.Unannounce(e.ID)
		time.Sleep(2 * time.Second)
		if n := len(store.Puts()); n != 4097 || !slices.Equal(store.Removed(), []uint32{e.ID}) {
			t.Errorf("put %d times, removed %v", n, store.Removed())
		}
	})
}
