package warzonenet

import (
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// Only the node that opened a game of a proposal changes it, until its host opens
// it at another.
func TestStoreAndProposals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := gamestest.Nodes(t, 2)
		var lobbies [2]ProposalLobby
		for i := range lobbies {
			lobbies[i].Games = nodes[i]
			lobbies[i].server.Once.Do(lobbies[i].init)
		}
		do := func(node int, m wzproposal.Request) error {
			_, err := lobbies[node].answer(netip.MustParseAddr("192.0.2.7"), m)
			b.Flush()
			time.Sleep(time.Second)
			return err
		}
		opened, closed := wzproposal.OpenGame{Port: 2100, Name: "Game"}, wzproposal.CloseGame{Port: 2100}
		fatalIf(t, do(0, opened))
		for _, m := range []wzproposal.Request{closed, wzproposal.StartGame{Port: 2100}} {
			if err := do(1, m); err != warzonegames.ErrGone {
				t.Errorf("%T at another node: %v", m, err)
			}
		}
		fatalIf(t, do(1, opened))
		if err := do(0, closed); err != warzonegames.ErrGone {
			t.Errorf("closed where it was before: %v", err)
		}
		fatalIf(t, do(1, closed))
		for i, g := range nodes {
			if n := g.Stats().Listed; n != 0 {
				t.Errorf("node %d lists %d", i, n)
			}
		}
	})
}
