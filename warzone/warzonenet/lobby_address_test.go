package warzonenet

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
)

// A host has the address of its connection.
func TestLobbyUnmapsAddresses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, &Lobby{NoVerify: true})
		for _, from := range []string{"::ffff:198.51.100.7", "2001:db8::7"} {
			h := n.connect(from)
			game := gamestest.OfVersion(warzone.Version4, from)
			game.Host, game.GameID, game.SecondaryHosts[1] = "203.0.113.1", 7, "203.0.113.2"
			h.send(warzone.AddGame{Game: game})
			h.wantStatus(warzone.StatusOK)
			e, ok := n.games.ForLobbies().Find(netip.AddrPortFrom(netip.MustParseAddr(from).Unmap(), 2101))
			if !ok || e.Game.Host != netip.MustParseAddr(from).Unmap().String() || e.Game.GameID == 7 ||
				e.Game.SecondaryHosts[1] != "" {
				t.Errorf("%s: listed %+v", from, e)
			}
		}
	})
}

// Whatever addresses a host names, the lobby connects only to the address of the host's
// connection.
func TestLobbyConnectsToItsHostsOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var dialed []string
		l := new(Lobby)
		l.Dial = func(_ context.Context, _, addr string) (net.Conn, error) {
			mu.Lock()
			defer mu.Unlock()
			dialed = append(dialed, addr)
			return nil, errors.New("refused")
		}
		n := startLobby(t, l)
		const host, victim = "198.51.100.7", "203.0.113.1"
		game := gamestest.OfVersion(warzone.Version4, "A game")
		game.Host, game.SecondaryHosts = victim, [2]string{victim, victim}
		request, err := warzone.AddGame{Game: game}.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, named := range []string{victim, "victim.test", "127.0.0.001", "::ffff:7f01", "0x7f000001\x00"} {
			h := n.connect(host)
			if _, err := h.Write(bytes.ReplaceAll(request, []byte(victim), []byte(named))); err != nil {
				t.Fatal(err)
			}
			time.Sleep(10 * time.Second)
		}
		mu.Lock()
		defer mu.Unlock()
		if len(dialed) == 0 {
			t.Fatal("the lobby checks no host")
		}
		for _, addr := range dialed {
			if !strings.HasPrefix(addr, host+":") {
				t.Errorf("the lobby connects to %s", addr)
			}
		}
		t.Logf("%d connections", len(dialed))
	})
}
