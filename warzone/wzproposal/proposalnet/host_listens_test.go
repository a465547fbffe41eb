package proposalnet

import (
	"net"
	"net/netip"
	"testing"

	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// A host that listens at one address is listed there.
func TestHostCallsFromItsListener(t *testing.T) {
	for _, f := range wireForms() {
		for listener, want := range map[string]string{"127.0.31.3:2100": "127.0.31.3", "0.0.0.0:2100": "127.0.0.1"} {
			ln, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Skip(err)
			}
			l := &Lobby{Proposal: f.Proposal, Games: new(warzonegames.Games)}
			ended := make(chan error, 1)
			go func() { ended <- l.Serve(ln) }()
			announced := make(chan error, 100)
			h := &Host{Proposal: f.Proposal, Addr: ln.Addr().String(), Announced: func(err error) { announced <- err }}
			fatalIf(t, h.Set(Game{Port: 2100, Name: "A game", Map: "Rush", MaxPlayers: 4}))
			h.ListensAt(net.TCPAddrFromAddrPort(netip.MustParseAddrPort(listener)))
			gamestest.Run(t, h)
			fatalIf(t, <-announced)
			if _, ok := l.Games.Find(netip.AddrPortFrom(netip.MustParseAddr(want), 2100)); !ok {
				t.Errorf("%v: not listed at %s", f, want)
			}
			fatalIf(t, h.Close())
			fatalIf(t, l.Close())
			<-ended
		}
	}
}
