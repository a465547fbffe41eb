package warzonenet

import (
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
)

// hostAt returns a Host of a game at the lobby of a network, with its own address.
func hostAt(n *lobbyNet, from string, game warzone.Game) *Host {
	n.t.Helper()
	h := &Host{Addr: lobbyAddr.String(), Dial: n.network.DialFrom(netip.MustParseAddr(from))}
	set(n.t, h, game)
	return h
}

// serveAlive serves h at the port of its game.
func serveAlive(n *lobbyNet, h *Host, addr netip.AddrPort) {
	n.t.Helper()
	l, err := n.network.Listen(addr)
	if err != nil {
		n.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- h.ServeAlive(l) }()
	n.t.Cleanup(func() {
		h.Close()
		if err := <-ended; err != lobbywire.ErrClosed {
			n.t.Errorf("ServeAlive returned %v", err)
		}
	})
}

// wantListed lists the games without a cache.
func wantListed(n *lobbyNet, names ...string) []warzone.Game {
	n.t.Helper()
	synctest.Wait()
	c := Client{Dial: n.network.Dial}
	l, err := c.List(n.t.Context(), lobbyAddr.String())
	if err != nil {
		n.t.Fatal(err)
	}
	var got []string
	for _, g := range l.Games {
		got = append(got, g.Name)
	}
	if diff := cmp.Diff(names, got); diff != "" {
		n.t.Fatalf("listed (-want +got):\n%s", diff)
	}
	return l.Games
}

// A Client sees in the next list what a Host of any version has Set.
func TestClientSeesWhatAHostHasSet(t *testing.T) {
	for _, tt := range []struct {
		name   string
		game   warzone.Game
		layout warzone.Layout // of the list
		hasID  bool
	}{
		{"4.x", gamestest.OfVersion(warzone.Version4, "One"), warzone.LayoutVersioned, true},
		{"3.x", gamestest.OfVersion(warzone.Version3, "One"), warzone.LayoutVersioned, true},
		{"2.3", warzone.Game{Name: "One", Layout: warzone.Layout23, Version: warzone.Version3},
			warzone.LayoutVersioned, true},
		{"2.2", gamestest.OfVersion(warzone.Version2, "One"), warzone.LayoutVersioned, false},
		{"2.1", gamestest.Record(warzone.Layout21, "One"), warzone.Layout21, false},
		{"2.0", gamestest.Record(warzone.Layout20, "One"), warzone.Layout20, false},
	} {
		for _, from := range []string{"198.51.100.7", "2001:db8::7"} {
			if isRecord(tt.layout) && netip.MustParseAddr(from).Is6() {
				continue // their lists have room for IPv4 only
			}
			t.Run(tt.name+" from "+from, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					n := startLobby(t, &Lobby{Layout: tt.layout, MOTD: "Welcome"})
					game := tt.game
					h := hostAt(n, from, game)
					serveAlive(n, h, netip.AddrPortFrom(netip.MustParseAddr(from), game.JoinPort()))
					wantListed(n)
					gamestest.Run(t, h)

					listed := wantListed(n, "One")[0]
					if listed.Host != from || listed.JoinPort() != game.JoinPort() ||
						tt.hasID != (h.Answer().GameID != 0) {
						t.Errorf("listed: %+v, answer: %+v", listed, h.Answer())
					}
					game.Name = "Two"
					set(t, h, game)
					time.Sleep(6 * time.Second)
					wantListed(n, "One")
					time.Sleep(time.Second)
					wantListed(n, "Two")
					time.Sleep(time.Hour)
					wantListed(n, "Two")
					standing, text := lobbywire.StandingListed, "Welcome"
					if isRecord(tt.layout) {
						standing, text = lobbywire.StandingUnconfirmed, ""
					}
					if s, a := h.Status(), h.Answer(); s.Standing != standing || a.Status.Text != text {
						t.Errorf("status %v, answer %+v", s, a)
					}
					if got := h.Stats().Failures; got != 0 {
						t.Errorf("%d connections ended", got)
					}
					h.Close()
					wantListed(n)
				})
			})
		}
	}
}

// An unreachable game is listed as soon as it can be reached.
func TestUnreachableGameIsListedOnceReached(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, new(Lobby))
		game := gamestest.OfVersion(warzone.Version4, "One")
		h := hostAt(n, "198.51.100.7", game)
		gamestest.Run(t, h)
		wantListed(n)
		if s := h.Status(); s.Standing != lobbywire.StandingRefused {
			t.Errorf("status %v", s)
		}
		serveAlive(n, h, netip.MustParseAddrPort("198.51.100.7:2101"))
		time.Sleep(time.Minute)
		game.Name = "Two"
		set(t, h, game)
		wantListed(n, "Two")
		if s := h.Status(); s.Standing != lobbywire.StandingListed {
			t.Errorf("status %v", s)
		}
	})
}
