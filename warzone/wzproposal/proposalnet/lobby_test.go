package proposalnet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// A game outlives its connection, and the lobby, until it expires.
func TestGameOutlivesItsConnectionUntilItExpires(t *testing.T) {
	for _, f := range wireForms() {
		synctest.Test(t, func(t *testing.T) {
			n := newLobbyNet(t)
			n.serve(f, lobbywire.ConnLimits{})
			ended := &Lobby{Proposal: f.Proposal, Games: n.games}
			n.start(ended, netip.MustParseAddrPort("192.0.2.2:9990"))
			n.open(f, "198.51.100.7", "Two")
			fatalIf(t, ended.Shutdown(t.Context()))
			time.Sleep(f.life - time.Second)
			n.wantNames(f, "Two")
			time.Sleep(2 * time.Second)
			n.wantNames(f)
		})
	}
}

// Bad content within a whole command is answered and the connection goes on. It ends after
// too many bad commands.
func TestBadContentIsAnsweredAndCounted(t *testing.T) {
	for _, f := range wireForms() {
		synctest.Test(t, func(t *testing.T) {
			n := newLobbyNet(t)
			n.serve(f, lobbywire.ConnLimits{})
			c := n.connect("198.51.100.7", f)
			for i, bad := range f.bad {
				if b := c.ask([]byte(bad)); !f.isFailure(b) || bytes.ContainsAny(b[:len(b)-1], "\x1b\x00") &&
					f.Proposal != Binary {
					t.Errorf("%v, %q: %q", f, bad, b)
				}
				if i%3 == 0 {
					if b := c.ask(f.open(2100, "Still there")); !f.isOpened(b) {
						t.Errorf("%v, after %q: %q", f, bad, b)
					}
				}
			}
			c.Close()

			c = n.connect("198.51.100.7", f)
			_, err := c.Write([]byte(strings.Repeat(f.bad[0], 3*maxMalformed)))
			fatalIf(t, err)
			single := len(c.end()) / maxMalformed
			if single < 5 || single > 300 {
				t.Errorf("%v: %d bytes for each of %d", f, single, maxMalformed)
			}
			n.wantNames(f, "Still there")
		})
	}
}

// Too long commands, and input that starts none, end the connection after an Error.
func TestEndlessCommandsEndConnections(t *testing.T) {
	for _, f := range wireForms() {
		synctest.Test(t, func(t *testing.T) {
			n := newLobbyNet(t)
			n.serve(f, lobbywire.ConnLimits{})
			for name, sends := range f.endless {
				c := n.connect("198.51.100.7", f)
				go c.Write(sends)
				if b := c.end(); !f.isFailure(b) {
					t.Errorf("%v, %s: %q", f, name, b)
				}
			}
		})
	}
}

// In JSON, an address has one game anyway.
func TestAddressHasALimitOfGames(t *testing.T) {
	for _, f := range wireForms() {
		synctest.Test(t, func(t *testing.T) {
			n := newLobbyNet(t)
			n.games.Limits.MaxPerAddress = 3
			n.serve(f, lobbywire.ConnLimits{})
			c := n.connect("198.51.100.7", f)
			for i := range 5 {
				b := c.ask(f.open(uint16(2100+i), "A game"))
				if want := i < 3 || f.Proposal == JSON; f.isOpened(b) != want || f.isFailure(b) == want {
					t.Errorf("%v, game %d: %q", f, i, b)
				}
			}
		})
	}
}

// A game has the address of the connection, without a zone and with IPv4 unmapped.
func TestGameHasTheConnectionsAddress(t *testing.T) {
	for _, f := range wireForms() {
		for from, want := range map[string]string{
			"198.51.100.7": "198.51.100.7:2100", "::ffff:198.51.100.7": "198.51.100.7:2100",
			"2001:db8::7": "[2001:db8::7]:2100", "fe80::7%eth0": "[fe80::7]:2100",
		} {
			synctest.Test(t, func(t *testing.T) {
				n := newLobbyNet(t)
				n.serve(f, lobbywire.ConnLimits{})
				for _, name := range []string{"A game", "Another"} {
					n.open(f, from, name)
					e, ok := n.games.ForLobbies().Find(netip.MustParseAddrPort(want))
					if !ok || e.Source.String() != f.String() || e.Game.Name != name {
						t.Errorf("%v from %s: %+v, %v", f, from, e, ok)
					}
				}
			})
		}
	}
}

// In the JSON proposal, a host that names another address and port is listed at its own.
func TestAddressesAreNotClaimed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, f := newLobbyNet(t), ofJSON()
		n.serve(f, lobbywire.ConnLimits{})
		claim := Game{Name: "A game", Map: "Rush", MaxPlayers: 4, Extra: map[string]json.RawMessage{
			"host": json.RawMessage(`"203.0.113.9"`), "port": json.RawMessage(`9`),
		}}
		id := ""
		for _, v := range []verb{verbOpen, verbUpdate} {
			a, err := n.command(f, "198.51.100.7", command{verb: v, id: id, game: claim})
			fatalIf(t, err)
			if v == verbOpen {
				id = a.id
			}
			l, err := (&Client{Proposal: JSON, Dial: n.from("203.0.113.77"), ListEvery: -1}).List(t.Context(), f.addr.String())
			fatalIf(t, err)
			if len(l.Games) != 1 {
				t.Fatalf("%d games", len(l.Games))
			}
			g := l.Games[0]
			if at := netip.AddrPortFrom(g.Host, g.Port); at.String() != "198.51.100.7:2100" || len(g.Extra) > 0 {
				t.Errorf("after %v: listed at %v, with %s", v, at, g.Extra)
			}
		}
	})
}

// In the text and the binary proposal, no command from another address than the one that
// opened a game starts or closes it.
func TestOthersDoNotChangeAGame(t *testing.T) {
	for _, f := range wireForms()[:2] {
		synctest.Test(t, func(t *testing.T) {
			n := newLobbyNet(t)
			n.serve(f, lobbywire.ConnLimits{})
			n.open(f, "198.51.100.7", "A game")
			started := Game{Port: 2100, Status: wzproposal.StatusStarted}
			for _, from := range []string{"198.51.100.8", "2001:db8::7"} {
				for _, v := range []verb{verbUpdate, verbClose} {
					_, err := n.command(f, from, command{verb: v, game: started})
					n.wantRefused(f.String()+" from "+from, err)
				}
			}
			if e, ok := n.games.ForLobbies().Find(netip.MustParseAddrPort("198.51.100.7:2100")); !ok || e.Started {
				t.Errorf("%v: %+v, %v", f, e, ok)
			}
		})
	}
}

// Lists are as long as an answer may be, and MaxListed shortens them.
func TestListsAreCutAtTheirLimit(t *testing.T) {
	for _, f := range wireForms() {
		for _, maxListed := range []int{0, 100} {
			synctest.Test(t, func(t *testing.T) {
				n := newLobbyNet(t)
				n.games.MaxListed = maxListed
				n.serve(f, lobbywire.ConnLimits{})
				for i := range 3000 {
					game := gamestest.Named(fmt.Sprintf("%04d %s", i, strings.Repeat("é", i%100)))
					n.add(gamestest.Key(256*i), warzonegames.Entry{Source: warzonegames.SourceText, Game: game})
				}
				least, highest := 1023, 1023
				switch {
				case maxListed > 0:
					least, highest = maxListed, maxListed
				case f.Proposal == JSON:
					least = 400 // of 64 KiB
				}
				names := n.names(f)
				if len(names) < least || len(names) > highest || !strings.HasPrefix(names[99], "0099 ") {
					t.Errorf("%v: %d names, the 99th %q", f, len(names), names[99])
				}
			})
		}
	}
}

// In the text and the binary proposal, a filter other than * gets all games too.
func TestUnknownFiltersGetAllGames(t *testing.T) {
	for i, f := range wireForms()[:2] {
		synctest.Test(t, func(t *testing.T) {
			n := newLobbyNet(t)
			n.serve(f, lobbywire.ConnLimits{})
			n.open(f, "198.51.100.7", "A game")
			want := n.connect("198.51.100.8", f).ask(f.list)
			for _, filter := range []string{"Sk-Rush", "map=Sk-Rush"} {
				list := encoded(wzproposal.Encoding(i), wzproposal.List{Filter: filter})
				if got := n.connect("198.51.100.8", f).ask(list); !bytes.Equal(got, want) {
					t.Errorf("%v: %q, want %q", f, got, want)
				}
			}
		})
	}
}

// Lists have the fields of games of all protocols, with the texts fit to the proposal.
func TestListsHaveAllFields(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newLobbyNet(t)
		evil := gamestest.Named("Evil\x1b[2J\nname \xe4" + strings.Repeat("\xf6", 20))
		long := gamestest.Named(strings.Repeat("健", 100))
		long.MapName, long.MaxPlayers = "\t"+strings.Repeat("é", 100), 1<<31
		for i, e := range []warzonegames.Entry{
			{Source: warzonegames.SourceLobby, Game: evil},
			{Source: warzonegames.SourceText, Game: long, Started: true},
			{Source: warzonegames.SourceJSON, Game: long, Tech: "T1\x00" + strings.Repeat("x", 100)},
		} {
			n.add(netip.AddrPortFrom(netip.MustParseAddr(fmt.Sprintf("2001:db8::%d", i+1)), uint16(2100+i)), e)
		}
		name := "Evil [2J name ä" + strings.Repeat("ö", 20)
		clipped, clippedMap := strings.Repeat("健", 41), " "+strings.Repeat("é", 31)
		one, two := netip.MustParseAddr("2001:db8::1"), netip.MustParseAddr("2001:db8::2")
		three := netip.MustParseAddr("2001:db8::3")
		wantText := []Game{
			{Host: one, Port: 2100, Name: name, Map: "Sk-Rush", MaxPlayers: 4, Status: wzproposal.StatusOpen},
			{Host: two, Port: 2101, Name: clipped, Map: clippedMap, MaxPlayers: 1 << 31,
				Status: wzproposal.StatusStarted},
			{Host: three, Port: 2102, Name: clipped, Map: clippedMap, MaxPlayers: 1 << 31,
				Status: wzproposal.StatusOpen},
		}
		wantJSON := []Game{
			{Host: one, Port: 2100, Name: name, Map: "Sk-Rush", MaxPlayers: 4},
			{Host: three, Port: 2102, Name: clipped, Map: clippedMap,
				Tech: wzjson.Tech("T1 " + strings.Repeat("x", 13))},
		}
		for _, f := range wireForms() {
			n.serve(f, lobbywire.ConnLimits{})
			want := wantText
			if f.Proposal == JSON {
				want = wantJSON
			}
			l, err := (&Client{Proposal: f.Proposal, Dial: n.from("203.0.113.1")}).List(t.Context(), f.addr.String())
			fatalIf(t, err)
			if diff := cmp.Diff(want, l.Games, cmpopts.EquateComparable(netip.Addr{})); diff != "" {
				t.Errorf("%v (-want +got):\n%s", f, diff)
			}
		}
	})
}

// The longest row fits the smallest frame.
func TestLongestRowFillsAFrame(t *testing.T) {
	g := gamestest.Named(strings.Repeat("x", 1000))
	g.MapName, g.MaxPlayers = g.Name, 1<<32-1
	e := warzonegames.Entry{Key: netip.MustParseAddrPort("[1111:1111:1111:1111:1111:1111:1111:1111]:65535"), Game: g,
		Started: true}
	if b := Binary.dialect().entry(gameOf(&e)); len(b) != wzproposal.MaxFrame {
		t.Errorf("%d bytes, want %d", len(b), wzproposal.MaxFrame)
	}
}

// Only the node that opened a game changes it, until its host opens it at another. Each
// node closes it.
func TestOnlyTheOpeningNodeChangesAGame(t *testing.T) {
	for _, p := range []Proposal{Text, Binary} {
		synctest.Test(t, func(t *testing.T) {
			b, nodes := gamestest.Nodes(t, 2)
			var lobbies [2]Lobby
			for i := range lobbies {
				lobbies[i].Proposal, lobbies[i].Games = p, nodes[i]
				lobbies[i].server.Once.Do(lobbies[i].init)
			}
			do := func(node int, v verb, status wzproposal.Status) bool {
				d := p.dialect()
				request, err := d.appendCommand(nil,
					command{verb: v, game: Game{Port: 2100, Name: "Game", Status: status}})
				fatalIf(t, err)
				c, _, err := d.commands()(request)
				fatalIf(t, err)
				answer := lobbies[node].answer(netip.MustParseAddr("192.0.2.7"), c)
				b.Flush()
				time.Sleep(time.Second)
				return bytes.Equal(answer, d.done(v, ""))
			}
			for i, tt := range []struct {
				node   int
				verb   verb
				status wzproposal.Status
				done   bool
			}{
				{0, verbOpen, "", true},
				{1, verbClose, "", true},
				{0, verbUpdate, wzproposal.StatusStarted, false},
				{0, verbOpen, "", true},
				{1, verbUpdate, wzproposal.StatusStarted, false},
				{1, verbOpen, "", true},
				{0, verbClose, "", true}, // where it was before
			} {
				if got := do(tt.node, tt.verb, tt.status); got != tt.done {
					t.Errorf("%v, step %d: done %v", p, i, got)
				}
			}
			for i, g := range nodes {
				if n := g.Stats().Listed; n != 0 {
					t.Errorf("node %d lists %d", i, n)
				}
			}
		})
	}
}

// A host announces its game four times as often as the lobby needs it.
func TestHostAnnouncesAgain(t *testing.T) {
	for _, f := range wireForms() {
		synctest.Test(t, func(t *testing.T) {
			n := newLobbyNet(t)
			l := &Lobby{Proposal: f.Proposal, Games: n.games}
			n.start(l, f.addr)
			h := n.host(f, "198.51.100.7")
			end := n.run(h)
			time.Sleep(f.life)
			n.wantNames(f, "A game")
			if got := h.Stats(); got.Announced < 4 || got.Announced > 5 || got.Failures > 0 {
				t.Errorf("%v: %+v", f, got)
			}
			end()
		})
	}
}
