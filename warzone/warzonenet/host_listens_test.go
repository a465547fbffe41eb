package warzonenet

import (
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
)

// Dial replaces the address of the listener, also of a later one.
func TestHostCallsAsDialSays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, &Lobby{NoVerify: true})
		h := hostAt(n, hostAddr, gamestest.Named("Mine"))
		gamestest.Run(t, h)
		time.Sleep(time.Minute)
		l, err := n.network.Listen(netip.MustParseAddrPort("203.0.113.9:2100"))
		fatalIf(t, err)
		ended := make(chan error)
		go func() { ended <- h.ServeAlive(l) }()
		time.Sleep(time.Minute)
		wantListed(n, "Mine")
		if s := h.Stats(); s.Connects != 1 || s.Failures != 0 {
			t.Errorf("%+v", s)
		}
		h.Close()
		<-ended
	})
}
