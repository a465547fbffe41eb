package wzhttpnet

import (
	"net"
	"net/http"
	"net/netip"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// A host that listens at one address is listed there, unless its HTTP client decides.
func TestHostCallsAsItsClientSays(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, game string
		client     *http.Client
		want       string
	}{
		{"another address", "127.0.31.3", nil, "127.0.31.3"},
		{"a client of the caller", "0.0.0.0", new(http.Client), "127.0.0.1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			listen := func(addr string) net.Listener {
				l, err := net.Listen("tcp", addr)
				if err != nil {
					t.Skip(err)
				}
				return l
			}
			lobby := &Lobby{Games: new(warzonegames.Games)}
			server := lobby.Server(nil)
			ln := listen("127.0.0.1:0")
			ended := make(chan error, 1)
			go func() { ended <- server.Serve(ln) }()
			t.Cleanup(func() {
				server.Close()
				<-ended
				fatalIf(t, lobby.Close())
			})
			game := listen(tt.game + ":0")
			port := game.Addr().(*net.TCPAddr).AddrPort().Port()
			published := make(chan struct{}, 100)
			h := &Host{Addr: "http://" + ln.Addr().String(), Port: port, HTTP: tt.client}
			h.Changed = func(s lobbywire.RegistrationStatus) {
				if s.Standing == lobbywire.StandingListed {
					published <- struct{}{}
				}
			}
			fatalIf(t, h.Set(testRoom("One")))
			h.ListensAt(game.Addr())
			go h.ServeAlive(game)
			gamestest.Run(t, h)
			<-published
			if _, ok := lobby.Games.ForLobbies().Find(netip.AddrPortFrom(netip.MustParseAddr(tt.want), port)); !ok {
				for e := range lobby.Games.All() {
					t.Errorf("listed %v", e.Key)
				}
			}
		})
	}
}
