package warzonenet

import (
	"testing"
	"testing/synctest"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// Negative times and limits mean the defaults.
func TestNegativeIsTheDefault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		games := &warzonegames.Games{MaxGames: -1, MaxPerAddress: -1, MaxPerPrefix: -1, MaxListed: -1}
		n := startLobby(t, &Lobby{Games: games, NoVerify: true})
		gamestest.Run(t, hostAt(n, "198.51.100.7", gamestest.OfVersion(warzone.Version4, "One")))
		wantListed(n, "One")
	})
	synctest.Test(t, func(t *testing.T) {
		lobby := newScriptedLobby(t)
		h := newHost(lobby, gamestest.Named("One"))
		h.Timeout = -1
		gamestest.Run(t, h)
		lobby.announced(testID, gamestest.Named("One"), welcome)
	})
}
