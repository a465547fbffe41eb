package proposalnet

import (
	"context"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
)

const checkedHost = "198.51.100.7"

// A game that never answered stays listed, unverified, as a lobby of a proposal checks no game
// before it lists it.
func TestLobbyListsGamesWithoutAnswer(t *testing.T) {
	for _, f := range wireForms() {
		synctest.Test(t, func(t *testing.T) {
			n := newLobbyNet(t)
			n.serve(f, lobbywire.ConnLimits{})
			h := &Host{Proposal: f.Proposal, Addr: f.addr.String(), Dial: n.from(checkedHost)}
			fatalIf(t, h.Set(Game{Port: 2100, Name: "A game", Map: "Rush", MaxPlayers: 4}))
			gamestest.Run(t, h)
			time.Sleep(time.Hour)
			n.wantNames(f, "A game")
		})
	}
}

// A Lobby checks games that are open for a minute or more, whatever address their host names.
func TestLobbyChecksLastingGames(t *testing.T) {
	for _, f := range wireForms() {
		synctest.Test(t, func(t *testing.T) {
			n := newLobbyNet(t)
			var mu sync.Mutex
			dialed := make(map[string]int)
			l := &Lobby{Proposal: f.Proposal, Games: n.games,
				Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
					mu.Lock()
					defer mu.Unlock()
					dialed[addr]++
					return n.network.Dial(ctx, network, addr)
				}}
			n.start(l, f.addr)
			open := func() {
				p := n.connect(checkedHost, f)
				if f.Proposal != JSON {
					p.ask(f.open(2100, "A game"))
					return
				}
				p.ask(object(`"command":"add","name":"A game","map":"Rush","tech":"T1","players":4,` +
					`"host":"203.0.113.9","ip":"203.0.113.9","port":22`))
			}
			open()
			for i := range 10 { // games that are open for a moment
				id := n.open(f, "198.51.100.8", "Short")
				_, err := n.command(f, "198.51.100.8", command{verb: verbClose, id: id, game: Game{Port: 2100}})
				fatalIf(t, err)
				time.Sleep(time.Duration(i) * time.Second)
			}
			for range 30 {
				time.Sleep(time.Minute)
				open()
			}
			mu.Lock()
			defer mu.Unlock()
			if got := dialed[checkedHost+":2100"]; len(dialed) > 1 || got == 0 || got > 16 {
				t.Errorf("%v: connected to %v", f, dialed)
			}
			n.wantNames(f, "A game")
		})
	}
}
