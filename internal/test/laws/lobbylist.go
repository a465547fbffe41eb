package laws

import (
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
)

// A game is listed at the address of its host, with its latest state, until its host ends.
func (n *lobbyNet) listsGames() {
	n.start(LobbySettings{})
	for _, at := range []string{"198.51.100.7", "2001:db8::7", "::ffff:198.51.100.8"} {
		from := netip.MustParseAddr(at)
		h := n.host("One", from)
		time.Sleep(soon)
		n.want("at first", "One")
		if got, want := n.list(lobbyAt)[0].View, n.view("One", from); !n.NoAddresses &&
			(got.Host != want.Host || got.Port != want.Port) {
			n.t.Errorf("from %v: listed at %s, port %d", from, got.Host, got.Port)
		}
		h.SetView(n.view("Two", from))
		time.Sleep(soon)
		n.want("after a change", "Two")
		time.Sleep(later)
		n.want("later", "Two")
		if err := h.Close(); err != nil {
			n.t.Errorf("Close: %v", err)
		}
		n.want("after its end")
	}
}

// Lists have the public address of a game, which its host changes as usual.
func (n *lobbyNet) listsPublicAddresses() {
	public := netip.MustParseAddrPort("203.0.113.9:5001")
	n.start(LobbySettings{Public: func(game netip.AddrPort) netip.AddrPort {
		if game.Addr() == hostAt {
			return public
		}
		return game
	}})
	h := n.host("Mapped", hostAt)
	n.host("Plain", server(1).Addr())
	time.Sleep(soon)
	h.SetView(n.view("Changed", hostAt))
	time.Sleep(soon)
	n.want("with a public address", "Changed", "Plain")
	for _, s := range n.list(lobbyAt) {
		want := netip.AddrPortFrom(server(1).Addr(), n.gamePort())
		if s.View.Name == "Changed" {
			want = public
		}
		if v := s.View; !n.NoAddresses && (v.Host != want.Addr().String() || v.Port != want.Port()) {
			n.t.Errorf("%s is listed at %s, port %d", v.Name, v.Host, v.Port)
		}
	}
	h.Close()
	n.want("after its end", "Plain")
}

// A game that Admit refuses is not listed, its host notices nothing, and each change is
// decided anew.
func (n *lobbyNet) withholdsGames() {
	var asked atomic.Int32
	n.start(LobbySettings{Admit: func(name string) bool {
		asked.Add(1)
		return name != "Bad" && name != "Worse"
	}})
	n.host("Other", server(1).Addr())
	h := n.host("Bad", hostAt)
	for _, name := range []string{"Bad", "Worse", "Good", "Bad"} {
		h.SetView(n.view(name, hostAt))
		time.Sleep(soon)
		for range 2 {
			if name == "Good" {
				n.want("admitted", "Good", "Other")
			} else {
				n.want(name, "Other")
			}
			if s := h.Status(); s.Standing == lobbywire.StandingRefused {
				n.t.Errorf("the host of %s knows: %v", name, s)
			}
			time.Sleep(later)
		}
	}
	h.Close()
	n.want("after its end", "Other")
	if asked.Load() == 0 {
		n.t.Error("Admit was not called")
	}
}

// Nodes list the games of each other, also a node that starts later, until their hosts end.
func (n *lobbyNet) sharesTheList() {
	node := n.Nodes()
	n.serve(node(LobbySettings{NoVerify: true}), lobbyAt)
	n.host("Early", hostAt)
	time.Sleep(soon)
	n.serve(node(LobbySettings{NoVerify: true}), secondAt)
	n.wantAt(secondAt, "a late node", "Early")
	s := n.settings(server(1).Addr())
	s.Lobby = n.Scheme + secondAt.String()
	h := n.Host(s)
	h.SetView(n.view("One", server(1).Addr()))
	n.run(h)
	for range 2 {
		time.Sleep(later)
		n.want("the other node", "Early", "One")
		n.wantAt(secondAt, "the own node", "Early", "One")
	}
	h.SetView(n.view("Two", server(1).Addr()))
	time.Sleep(soon)
	n.want("after a change", "Early", "Two")
	h.Close()
	time.Sleep(soon)
	n.want("after its end", "Early")
	n.wantAt(secondAt, "after its end, at the own node", "Early")
}
