package warzonegames_test

import (
	"net/netip"
	"testing"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// Lists have the public address of a game; its Key stays.
func TestListsHavePublicAddresses(t *testing.T) {
	addr := netip.MustParseAddrPort
	behind, public := addr("192.168.1.2:2100"), addr("203.0.113.7:9999")
	six := addr("[fd00::2]:9999")
	g := warzonegames.Games{Public: func(game netip.AddrPort) netip.AddrPort {
		switch game {
		case behind:
			return public
		case six:
			return addr("[2001:db8::2]:9999")
		}
		return addr("[2001:db8::1]:1") // of the other kind
	}}
	added := gamestest.Add(t, &g, warzonegames.Entry{
		Key: behind, Game: warzone.Game{Version: 4, Name: "A"}, Second: six,
	})
	if added.Key != behind || added.Game.Host != "203.0.113.7" {
		t.Errorf("added %+v", added)
	}
	changed, err := g.Update(added.ID, func(e *warzonegames.Entry) { e.Game.Name = "B" })
	if err != nil || changed.Game.Host != "203.0.113.7" {
		t.Errorf("changed to %+v, %v", changed, err)
	}
	m, err := warzone.ParseGame(g.ForLobbies().Records(warzone.LayoutVersioned).Pages[0])
	if err != nil || m.Host != "203.0.113.7" || m.JoinPort() != 9999 || m.SecondaryHosts[0] != "2001:db8::2" {
		t.Errorf("listed as %+v, %v", m, err)
	}
	if n := g.ForLobbies().Records(warzone.Layout21).Count; n != 1 {
		t.Errorf("%d games in layout 2.1, want that at the public port", n)
	}
	if got := g.ForLobbies().PublicAddr(addr("192.0.2.1:2100")); got != addr("192.0.2.1:2100") {
		t.Errorf("IPv6 in place of IPv4: %v", got)
	}
	if got := g.ForLobbies().PublicAddr(netip.AddrPort{}); got.IsValid() {
		t.Errorf("no address became %v", got)
	}
}
