package warzonenet

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

// Negative times and limits mean the defaults.
func TestNegativeIsTheDefault(t *testing.T) {
	for _, p := range proposals() {
		synctest.Test(t, func(t *testing.T) {
			n := newProtocolsNet(t)
			n.games.MaxGames, n.games.MaxPerAddress, n.games.MaxPerPrefix, n.games.MaxListed = -1, -1, -1, -1
			n.serve(p, lobbywire.ConnLimits{})
			p.host(t, n.from("198.51.100.7"), "A game")
			n.wantNames(p, "A game")
		})
	}
	synctest.Test(t, func(t *testing.T) {
		n := newProtocolsNet(t)
		l := &JSONLobby{Games: n.games, Life: -1}
		n.start(l, jsonAddr)
		h := &JSONHost{Addr: jsonAddr.String(), Dial: n.from("198.51.100.7"), Timeout: -1, Silence: -1, Every: -1}
		fatalIf(t, h.Set(wzjson.Add{Name: "A game"}))
		gamestest.Run(t, h)
		time.Sleep(time.Minute)
		n.wantNames(proposals()[2], "A game")
		if got := h.Stats(); got.Sent > 4 || got.Failures > 0 {
			t.Errorf("in a minute: %+v", got)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		lobby := newScriptedLobby(t)
		h := newHost(lobby, gamestest.Named("One"))
		h.Timeout = -1
		gamestest.Run(t, h)
		lobby.announced(testID, gamestest.Named("One"), welcome)
	})
}
