package warzonenet

import (
	"testing"
	"testing/synctest"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// Negative limits mean the defaults.
func TestNegativeIsTheDefault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		games := &warzonegames.Games{MaxGames: -1, MaxPerAddress: -1, MaxPerPrefix: -1, MaxListed: -1}
		n := startLobby(t, &Lobby{Games: games, NoVerify: true})
		gamestest.Run(t, hostAt(n, "198.51.100.7", gamestest.OfVersion(warzone.Version4, "One")))
		wantListed(n, "One")
	})
}
