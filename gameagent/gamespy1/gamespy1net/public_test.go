package gamespy1net_test

import (
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
)

// Both lists have the public address of a server, and the master queries the address that
// the server registered from.
func TestMasterListsPublicAddresses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		public := netip.MustParseAddr("203.0.113.7")
		m := &gamespy1net.Master{Public: func(server netip.AddrPort) netip.AddrPort {
			if server.Addr() == gameServer.Addr() {
				return netip.AddrPortFrom(public, server.Port())
			}
			return netip.AddrPortFrom(server.Addr(), 0) // no list can have it
		}}
		n := serveGameSpy(t, m)
		send, stop := n.host(t, gameServer, stock)
		send(stockHeartbeat)
		time.Sleep(time.Second)
		other := netip.MustParseAddrPort("198.51.100.9:25601")
		enlistProduct(t, m, other)
		want := []netip.AddrPort{
			netip.AddrPortFrom(other.Addr(), 25600), netip.AddrPortFrom(public, gameServer.Port()-1),
		}
		if got := listing(t, m); !slices.Equal(got, want) {
			t.Errorf("native list %v, want %v", got, want)
		}
		query := string(append(public.AsSlice(), byte(gameServer.Port()>>8), byte(gameServer.Port())))
		if got := n.gameList(t, engineRequest); got != query+"\xc6\x33\x64\x09\x64\x01"+`\final\` {
			t.Errorf("list of the game %q", got)
		}
		for e := range m.Servers() {
			if e.Game.Addr() == public {
				t.Errorf("entry %+v", e)
			}
		}
		stop()
		n.close(t)
	})
}
