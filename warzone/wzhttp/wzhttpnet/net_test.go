package wzhttpnet

import (
	"net/http"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// An httpNet is a Lobby in a network of its own.
type httpNet struct {
	gamestest.HTTPNet
	lobby *Lobby
	games *warzonegames.Games
}

// startLobby serves over both families until the test ends.
func startLobby(t testing.TB, l *Lobby) *httpNet {
	t.Helper()
	n := &httpNet{HTTPNet: gamestest.HTTPNet{T: t, Network: new(nettest.Streams)}, lobby: l}
	if l.Games == nil {
		l.Games = new(warzonegames.Games)
	}
	n.games = l.Games
	if l.Dial == nil {
		l.Dial = n.Network.DialFrom(gamestest.HTTPLobby4.Addr())
	}
	n.Serve(l.Server(http.StripPrefix("/lobby", l)), l.Close)
	return n
}

func fatalIf(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
