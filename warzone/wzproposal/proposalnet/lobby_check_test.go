package proposalnet

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/nettest"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
)

// withholdTime is longer than a game that does not answer stays listed, and relistTime longer
// than one that answers again stays withheld.
const (
	withholdTime = 7 * time.Minute
	relistTime   = 90 * time.Second
)

const checkedHost = "198.51.100.7"

// acceptAt opens a port, which accepts connections and closes them.
func (n *lobbyNet) acceptAt(addr string) *nettest.Listener {
	n.t.Helper()
	l, err := n.network.Listen(netip.MustParseAddrPort(addr))
	fatalIf(n.t, err)
	n.t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			c.Close()
		}
	}()
	return l
}

// A game whose port closes while its host announces it is withheld after some minutes. The host
// gets that as the answer, and the game is listed again when its port is open. A host that backs
// off does not get it listed by opening it anew.
func TestLobbyWithholdsClosedPorts(t *testing.T) {
	for _, f := range wireForms() {
		t.Run(f.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newLobbyNet(t)
				var mu sync.Mutex
				reasons := make(map[lobbywire.Reason]int)
				l := &Lobby{Proposal: f.Proposal, Games: n.games, Refused: func(r lobbywire.Refusal) {
					mu.Lock()
					defer mu.Unlock()
					reasons[r.Reason]++
				}}
				n.start(l, f.addr)
				var last error
				h := &Host{Proposal: f.Proposal, Addr: f.addr.String(), Dial: n.from(checkedHost),
					Announced: func(err error) { last = err }}
				fatalIf(t, h.Set(Game{Port: 2100, Name: "A game", Map: "Rush", MaxPlayers: 4}))
				port := n.acceptAt(checkedHost + ":2100")
				gamestest.Run(t, h)
				time.Sleep(time.Hour)
				synctest.Wait()
				n.wantNames(f, "A game")
				if e, _ := n.games.Find(netip.MustParseAddrPort(checkedHost + ":2100")); !e.Verified {
					t.Errorf("%+v", e)
				}
				if last != nil {
					t.Errorf("announced: %v", last)
				}

				port.Close()
				time.Sleep(2 * time.Minute)
				n.wantNames(f, "A game")
				time.Sleep(withholdTime - 2*time.Minute)
				for range 24 * 12 {
					time.Sleep(5 * time.Minute)
					n.wantNames(f)
				}
				synctest.Wait()
				refused, ok := errors.AsType[*LobbyError](last)
				if !ok || !strings.Contains(refused.Text, checkedHost+":2100") {
					t.Errorf("announced: %v", last)
				}
				mu.Lock()
				if len(reasons) != 1 || reasons[lobbywire.ReasonUnreachable] == 0 {
					t.Errorf("refusals %v", reasons)
				}
				mu.Unlock()

				n.acceptAt(checkedHost + ":2100")
				time.Sleep(relistTime)
				n.wantNames(f, "A game")
				time.Sleep(10 * time.Minute)
				synctest.Wait()
				if last != nil {
					t.Errorf("announced: %v", last)
				}
			})
		})
	}
}

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

// A Lobby connects to the address that its host connects from, whatever address a host names,
// and only while a game is open for a minute or more; with NoVerify to none.
func TestLobbyChecksItsHostsOnly(t *testing.T) {
	for _, f := range wireForms() {
		for _, noVerify := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				n := newLobbyNet(t)
				var mu sync.Mutex
				dialed := make(map[string]int)
				l := &Lobby{Proposal: f.Proposal, Games: n.games, NoVerify: noVerify,
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
				if got := dialed[checkedHost+":2100"]; len(dialed) > 1 || got > 0 == noVerify || got > 16 {
					t.Errorf("%v, NoVerify %v: connected to %v", f, noVerify, dialed)
				}
				n.wantNames(f, "A game")
			})
		}
	}
}
