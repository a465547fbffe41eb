package warzonenet

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

func only(names ...string) []string { return names }

// A withheld game is in no list of any protocol, whether it was withheld before or after
// the first list.
func TestWithheldFromAllProtocols(t *testing.T) {
	for _, opens := range protocols() {
		for _, asked := range []bool{false, true} {
			t.Run(fmt.Sprintf("%v, asked before: %v", opens.source, asked), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					rules := new(gamestest.Banned)
					rules.Set("Bad")
					n := newProtocolsNet(t)
					n.games.Admit = rules.Admit
					want := func(names ...string) {
						t.Helper()
						for _, lists := range protocols() {
							n.wantNames(lists, names...)
						}
					}
					for _, p := range protocols() {
						n.serve(p, lobbywire.ConnLimits{})
					}
					if asked {
						want()
					}
					opens.host(t, n.from("198.51.100.7"), "Bad")
					want()
					opens.host(t, n.from("198.51.100.8"), "Good")
					want("Good")
					gamestest.WantWithheld(t, n.games, only("Good"), only("Bad"))

					rules.Set()
					want("Good")
					n.games.Review()
					want("Good", "Bad")
					rules.Set("Good")
					n.games.Review()
					want("Bad")
					rules.Set("Bad", "Good")
					n.games.Review()
					want()
				})
			})
		}
	}
}

// The host of a withheld game gets the usual answers.
func TestWithheldGameOfVersion4(t *testing.T) {
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
			t.Errorf("%+v", e)
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
			t.Errorf("%+v", st)
		}
		h.Close()
		synctest.Wait()
		gamestest.WantWithheld(t, n.games, nil, nil)
	})
}

// The hosts of the proposals can change and close a withheld game as usual.
func TestWithheldGameOfAProposal(t *testing.T) {
	for _, p := range proposals() {
		synctest.Test(t, func(t *testing.T) {
			rules := new(gamestest.Banned)
			rules.Set("Bad", "Worse")
			n := newProtocolsNet(t)
			n.games.Admit = rules.Admit
			s := n.serve(p, lobbywire.ConnLimits{})
			c := n.connect("198.51.100.7", p.addr)
			var told uint64
			for _, name := range []string{"Bad", "Worse", "Good", "Bad"} {
				c.send(p.open(2100, name))
				if b := c.answer(); !p.opened(b) {
					t.Errorf("%v: %q", p.source, b)
				}
				told++
				if name == "Good" {
					n.wantNames(p, name)
					continue
				}
				n.wantNames(p)
				gamestest.WantWithheld(t, n.games, nil, only(name))
			}
			if got := updatesOf(s); got != told {
				t.Errorf("%v: %d opened or updated, want %d", p.source, got, told)
			}
			time.Sleep(10*time.Minute + time.Second) // JSON games expire earlier
			gamestest.WantWithheld(t, n.games, nil, nil)
		})
	}
}
