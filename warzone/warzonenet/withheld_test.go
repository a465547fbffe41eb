package warzonenet

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

func only(names ...string) []string { return names }

// The host of a withheld game gets the usual answers.
func TestHostOfAWithheldGameGetsUsualAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rules := new(gamestest.Banned)
		rules.Set("Bad")
		l := &Lobby{Games: &warzonegames.Games{Admit: rules.Admit}}
		n := startLobby(t, l)
		var id uint32
		n.listen(hostAddr+":2101", alive(&id))
		h := n.connect(hostAddr)
		id = h.id()
		game := gamestest.OfVersion(warzone.Version4, "Bad")
		game.GameID = id
		h.send(warzone.AddGame{Game: game})
		h.wantStatus(warzone.StatusOK)
		game.CurrentPlayers = 2
		h.send(warzone.Update{Game: game})
		h.wantStatus(warzone.StatusOK)
		for range 10 {
			h.wantSilence(25 * time.Second)
			h.send(warzone.Keep{})
		}
		synctest.Wait()
		gamestest.WantWithheld(t, n.games, nil, only("Bad"))
		if e, _ := n.games.FindID(id); !e.Verified || e.Game.CurrentPlayers != 2 || time.Since(e.Seen) > time.Second {
			t.Errorf("after a check: %+v", e)
		}
		if names := n.names(); len(names) > 0 {
			t.Errorf("listed %q", names)
		}

		game.Name = "Good"
		h.send(warzone.Update{Game: game})
		h.wantStatus(warzone.StatusOK)
		if m, _ := n.list(); len(m.Games) != 1 || m.Games[0].Name != "Good" || m.Games[0].CurrentPlayers != 2 {
			t.Errorf("listed %+v", m.Games)
		}
		game.Name = "Bad"
		h.send(warzone.Update{Game: game})
		h.wantStatus(warzone.StatusOK)
		gamestest.WantWithheld(t, n.games, nil, only("Bad"))
		if st := l.Stats(); st.Added != 1 || st.Updated != 3 || st.Malformed != 0 {
			t.Errorf("stats: %+v", st)
		}
		h.Close()
		synctest.Wait()
		gamestest.WantWithheld(t, n.games, nil, nil)
	})
}
