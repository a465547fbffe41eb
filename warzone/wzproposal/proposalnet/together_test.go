package proposalnet

import (
	"fmt"
	"io"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// A protocol is one whose lobbies share their games.
type protocol struct {
	name  string
	serve func(n *lobbyNet)
	open  func(n *lobbyNet, from, name string) // opens a game
	names func(n *lobbyNet) []string           // lists
}

// protocols returns the proposals and the protocol up to 4.6.
func protocols() []protocol {
	all := []protocol{{
		name:  "deployed",
		serve: func(n *lobbyNet) { n.start(&warzonenet.Lobby{Games: n.games, NoVerify: true}, scriptedAddr) },
		open: func(n *lobbyNet, from, name string) {
			c, err := n.from(from)(n.t.Context(), "tcp", scriptedAddr.String())
			fatalIf(n.t, err)
			n.t.Cleanup(func() { c.Close() })
			b, err := warzone.AddGame{Game: gamestest.Named(name)}.AppendBinary(nil)
			fatalIf(n.t, err)
			_, err = c.Write(b)
			fatalIf(n.t, err)
			_, err = io.ReadFull(c, make([]byte, 10)) // a status and "OK"
			fatalIf(n.t, err)
		},
		names: func(n *lobbyNet) (names []string) {
			l, err := (&warzonenet.Client{Dial: n.from("203.0.113.77")}).List(n.t.Context(), scriptedAddr.String())
			fatalIf(n.t, err)
			for _, g := range l.Games {
				names = append(names, g.Name)
			}
			return names
		},
	}}
	for _, f := range wireForms() {
		all = append(all, protocol{
			name:  f.String(),
			serve: func(n *lobbyNet) { n.serve(f, lobbywire.ConnLimits{}) },
			open:  func(n *lobbyNet, from, name string) { n.open(f, from, name) },
			names: func(n *lobbyNet) []string { return n.names(f) },
		})
	}
	return all
}

// newTogether returns a network with the lobbies of all protocols, and a function that checks
// what they list.
func newTogether(t testing.TB) (n *lobbyNet, want func(names ...string)) {
	n = newLobbyNet(t)
	return n, func(names ...string) {
		t.Helper()
		for _, p := range protocols() {
			if got := p.names(n); !slices.Equal(got, names) {
				t.Errorf("%s lists %q, want %q", p.name, got, names)
			}
		}
	}
}

// A game that was opened through one protocol is visible through all, and no other proposal
// can change it.
func TestLobbiesShareGames(t *testing.T) {
	for _, opens := range protocols() {
		synctest.Test(t, func(t *testing.T) {
			n, want := newTogether(t)
			for _, p := range protocols() {
				p.serve(n)
			}
			want()
			opens.open(n, "198.51.100.7", "Grüße")
			want("Grüße")
			opens.open(n, "2001:db8::7", "Six")
			want("Grüße", "Six")
			for _, f := range wireForms() {
				if f.String() == opens.name {
					continue
				}
				if b := n.connect("198.51.100.7", f).ask(f.open(2100, "Second")); !f.isFailure(b) {
					t.Errorf("%s, then %v: %q", opens.name, f, b)
				}
			}
			want("Grüße", "Six")
		})
	}
}

// A withheld game is in no list of any protocol, whether it was withheld before or after the
// first list.
func TestWithheldGameIsInNoList(t *testing.T) {
	for _, opens := range protocols() {
		for _, listed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, listed before: %v", opens.name, listed), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					rules := new(gamestest.Banned)
					rules.Set("Bad")
					n, want := newTogether(t)
					n.games.Admit = rules.Admit
					for _, p := range protocols() {
						p.serve(n)
					}
					if listed {
						want()
					}
					opens.open(n, "198.51.100.7", "Bad")
					want()
					opens.open(n, "198.51.100.8", "Good")
					want("Good")
					gamestest.WantWithheld(t, n.games, []string{"Good"}, []string{"Bad"})

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
