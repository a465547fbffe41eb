package warzonegames_test

import (
	"net/netip"
	"testing"
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
