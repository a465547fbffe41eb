package wzhttpnet

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/internal/gamelist"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

var clusterKey = []byte("0123456789abcdef0123456789abcdef")

// startHTTPNodes returns HTTP lobbies of nodes that share their games.
func startHTTPNodes(t *testing.T, n int) (*gamestest.Bus, []*httpNet) {
	b, games := gamestest.Nodes(t, n)
	var all []*httpNet
	for _, g := range games {
		all = append(all, startLobby(t, &Lobby{Games: g, Key: clusterKey}))
	}
	return b, all
}

// shareTime is the time within which a Store receives a change.
const shareTime = 2 * time.Second

const connection4 = `{"type":"tcp:ip4","host":"","port":2100}`

// A host may send each request to another node, even before its game is published.
func TestLobbyHostMoves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := startHTTPNodes(t, 3)
		h := nodes[0].Create(gamestest.Host4, gamestest.Room)
		nodes[1].Do(gamestest.Host4, h.Request("POST", "/connection"), connection4).WantError(t, 429, "RATE_LIMITED")
		b.Flush()
		nodes[1].PlayAt(gamestest.Host4+":2100", &h)
		if r := nodes[1].Do(gamestest.Host4, h.Request("POST", "/connection"), connection4); r.Status != 202 {
			t.Fatal(r)
		}
		if r := nodes[0].Do(gamestest.Host6, h.Request("POST", "/connection"),
			`{"type":"tcp:ip6","host":"","port":2100}`); r.Status != 202 {
			t.Fatal(r) // nobody listens there
		}
		time.Sleep(shareTime)
		b.Flush()
		want := strings.Replace(h.StatusOf(true, "validated"), "[", `[{"type":"tcp:ip6","status":"error"},`, 1)
		nodes[0].Do(gamestest.Host4, h.Request("PATCH", ""), `{"players":{"cur":2,"max":4}}`).Want(t, 200, want)
		for range 10 { // longer than a game lives that is not published
			time.Sleep(5 * time.Second)
			b.Flush()
			for i, n := range nodes {
				if l := n.List(); len(l) != 1 || !strings.Contains(l[0], `"cur":2`) {
					t.Fatalf("node %d lists %q", i, l)
				}
			}
		}
		nodes[2].Do(gamestest.Host4, h.Request("PATCH", ""), "{}").Want(t, 200, h.StatusOf(true, "validated"))
		if s := nodes[0].lobby.Stats(); s.Added != 1 || nodes[1].lobby.Stats().Added+nodes[2].lobby.Stats().Added > 0 {
			t.Errorf("stats %+v", s)
		}
	})
}

// A node learns the result of a check by another node, and starts no check of its own
// while that one may still run.
func TestLobbyHearsOfChecks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := startHTTPNodes(t, 2)
		h := nodes[0].Create(gamestest.Host4, gamestest.Room)
		b.Flush()
		l, err := nodes[1].Network.Listen(netip.MustParseAddrPort(gamestest.Host4 + ":2100"))
		fatalIf(t, err)
		defer l.Close()
		submitted := h.StatusOf(false, "submitted")
		nodes[1].Do(gamestest.Host4, h.Request("POST", "/connection"), connection4).Want(t, 202, submitted)
		b.Flush()
		nodes[0].Do(gamestest.Host4, h.Request("PATCH", ""), "{}").Want(t, 200, submitted)
		time.Sleep(checkTimeout - time.Second)
		nodes[0].Do(gamestest.Host4, h.Request("PATCH", ""), "{}").Want(t, 200, submitted)
		c, err := l.Accept()
		fatalIf(t, err)
		gamestest.AnswerCheck(c, &h)
		c.Close()
		synctest.Wait()
		b.Flush()
		nodes[0].Do(gamestest.Host4, h.Request("PATCH", ""), "{}").Want(t, 200, h.StatusOf(true, "validated"))
	})
}

// A node that has received a game shares it again only after a request of the host changes
// it: a Store may drop a state that another state replaces at once.
func TestLobbySharesNewsOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := startHTTPNodes(t, 2)
		h := nodes[0].Create(gamestest.Host4, gamestest.Room)
		b.Flush()
		nodes[1].Do(gamestest.Host4, h.Request("PATCH", ""), "{}")
		if n := len(b.Nodes[1].Puts()); n != 0 {
			t.Errorf("shared %d times without news", n)
		}
		nodes[1].Do(gamestest.Host4, h.Request("PATCH", ""), `{"name":"Chess"}`)
		if n := len(b.Nodes[1].Puts()); n != 1 {
			t.Errorf("news shared %d times", n)
		}
	})
}

// A host that changes its unpublished game as often as it may makes its node share the game
// once a second.
func TestLobbyStoreIsPaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, games := gamestest.Nodes(t, 1)
		n := startLobby(t, &Lobby{Games: games[0], NoRates: true})
		h := n.Create(gamestest.Host4, gamestest.Room)
		const seconds, each = 5, 80
		for i := range seconds * each {
			change := fmt.Sprintf(`{"players":{"cur":%d,"max":4}}`, i%4)
			if r := n.Do(gamestest.Host4, h.Request("PATCH", ""), change); r.Status != 200 {
				t.Fatalf("%+v", r)
			}
			time.Sleep(time.Second / each)
		}
		if puts := len(b.Nodes[0].Puts()); puts < seconds || puts > 1+seconds {
			t.Errorf("put %d times in %d seconds", puts, seconds)
		}
	})
}

// An unpublished game survives the end of the node to which it was announced, even during
// the check of the host.
func TestLobbyUnpublishedSurvives(t *testing.T) {
	for _, tt := range []struct {
		name string
		end  func(n *httpNet)
	}{
		{"it ends", func(n *httpNet) { fatalIf(n.T, n.lobby.Close()) }},
		{"it is killed", func(*httpNet) { time.Sleep(shareTime) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, nodes := startHTTPNodes(t, 2)
				h := nodes[0].Create(gamestest.Host4, gamestest.Room)
				// which never answers
				l, err := nodes[0].Network.Listen(netip.MustParseAddrPort(gamestest.Host4 + ":2100"))
				fatalIf(t, err)
				defer l.Close()
				nodes[0].Do(gamestest.Host4, h.Request("POST", "/connection"), connection4).Want(t, 202,
					h.StatusOf(false, "submitted"))
				b.Flush()
				tt.end(nodes[0])
				b.Flush()
				time.Sleep(time.Minute) // less than hosts wait
				nodes[1].PlayAt(gamestest.Host4+":2100", &h)
				for range 2 { // the other node could still check
					nodes[1].Do(gamestest.Host4, h.Request("PATCH", ""), "{}").Want(t, 200,
						h.StatusOf(false, "submitted"))
					time.Sleep(checkTimeout + time.Second)
				}
				nodes[1].Do(gamestest.Host4, h.Request("PATCH", ""), "{}").Want(t, 200, h.StatusOf(true, "validated"))
				if l := nodes[1].List(); len(l) != 1 {
					t.Errorf("listed %q", l)
				}
			})
		})
	}
}

// The same is true of the next lobby with the same Games and no Store.
func TestLobbyUnpublishedSurvivesAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		games := new(warzonegames.Games)
		first := startLobby(t, &Lobby{Games: games, Key: clusterKey})
		h := first.Create(gamestest.Host4, gamestest.Room)
		first.Do(gamestest.Host4, h.Request("PATCH", ""), `{"name":"Chess"}`)
		ended := first.Create(gamestest.Host4, gamestest.Room)
		first.Do(gamestest.Host4, ended.Request("DELETE", ""), "")
		fatalIf(t, first.lobby.Close())
		time.Sleep(10 * time.Second)
		second := startLobby(t, &Lobby{Games: games, Key: clusterKey, NoVerify: true})
		second.Do(gamestest.Host4, h.Request("POST", "/connection"), connection4).Want(t, 202,
			h.StatusOf(false, "validated"))
		second.Do(gamestest.Host4, h.Request("PATCH", ""), "{}").Want(t, 200, h.StatusOf(true, "validated"))
		if l := second.List(); len(l) != 1 || !strings.Contains(l[0], `"name":"Chess"`) {
			t.Errorf("listed %q", l)
		}
		second.Do(gamestest.Host4, ended.Request("PATCH", ""), "{}").WantError(t, 404, "GAME_NOT_FOUND")
	})
}

// The next lobby finishes the check of an address of a game that is published already.
// Functions that receive refusals may use the Games.
func TestLobbyFinishesChecks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		games := new(warzonegames.Games)
		first := startLobby(t, &Lobby{Games: games, Key: clusterKey,
			Refused: func(lobbywire.Refusal) { games.Stats() }})
		h := first.Publish(gamestest.Host4, 2100, gamestest.Room)
		at := "[" + gamestest.Host6 + "]:2100"
		l, err := first.Network.Listen(netip.MustParseAddrPort(at)) // which never answers
		fatalIf(t, err)
		if r := first.Do(gamestest.Host6, h.Request("POST", "/connection"),
			`{"type":"tcp:ip6","host":"","port":2100}`); r.Status != 202 {
			t.Fatal(r)
		}
		fatalIf(t, first.lobby.Close())
		l.Close()
		second := startLobby(t, &Lobby{Games: games, Key: clusterKey})
		second.PlayAt(at, &h)
		second.Do(gamestest.Host4, h.Request("PATCH", ""), "{}")
		synctest.Wait()
		if l := second.List(); len(l) != 1 || strings.Contains(l[0], "tcp:ip6") {
			t.Errorf("while another node may check: listed %q", l)
		}
		time.Sleep(checkTimeout + time.Second)
		second.Do(gamestest.Host4, h.Request("PATCH", ""), "{}")
		synctest.Wait()
		if l := second.List(); len(l) != 1 || !strings.Contains(l[0], "tcp:ip6") {
			t.Errorf("after another check: listed %q", l)
		}
	})
}

// A game that its host removes before it is published is removed from all nodes.
func TestRemovedUnpublishedGameEndsOnAllNodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := startHTTPNodes(t, 2)
		nodes[1].List() // so that it has started
		h := nodes[0].Create(gamestest.Host4, gamestest.Room)
		b.Flush()
		l, err := nodes[0].Network.Listen(netip.MustParseAddrPort(gamestest.Host4 + ":2100")) // which never answers
		fatalIf(t, err)
		defer l.Close()
		nodes[0].Do(gamestest.Host4, h.Request("POST", "/connection"), connection4).Want(t, 202,
			h.StatusOf(false, "submitted"))
		nodes[0].Do(gamestest.Host4, h.Request("DELETE", ""), "")
		time.Sleep(handover) // the check ends, too
		b.Flush()
		nodes[1].Do(gamestest.Host4, h.Request("PATCH", ""), "{}").WantError(t, 404, "GAME_NOT_FOUND")

		// So it is when the host is silent for longer than it would be.
		h = nodes[0].Create(gamestest.Host4, gamestest.Room)
		b.Flush()
		time.Sleep(life + 1)
		nodes[1].Do(gamestest.Host4, h.Request("PATCH", ""), "{}").WantError(t, 404, "GAME_NOT_FOUND")
	})
}

// What a Store changes in the addresses of an unpublished game is ignored.
func TestLobbyIgnoresWrongAddresses(t *testing.T) {
	for _, wrong := range [][]gamelist.AnnouncedAddress{nil, {{}},
		{{Kind: wzhttp.TCP4, Status: wzhttp.ValidationValidated}}} {
		synctest.Test(t, func(t *testing.T) {
			b, nodes := startHTTPNodes(t, 2)
			h := nodes[0].Create(gamestest.Host4, gamestest.Room)
			e := b.Nodes[0].Puts()[0]
			e.HTTP.Announced = wrong
			b.Nodes[1].Deliver(e)
			if r := nodes[1].Do(gamestest.Host4, h.Request("PATCH", ""), "{}"); r.Status != 200 ||
				!strings.Contains(r.Body, `"connections":[]`) {
				t.Errorf("%v: %v", wrong, r)
			}
		})
	}
}

// checkJoin asks a node about a player, and reports whether the player passes.
func (n *httpNet) checkJoin(h gamestest.HTTPGame, token, pk string) bool {
	n.T.Helper()
	r := n.Do(gamestest.Host4, h.Request("POST", "/check-join-request"),
		fmt.Sprintf(`{"joinToken":%q,"ip":"203.0.113.5","name":"Joiner","pk":%q,"connMethod":"tcp","asSpec":false}`,
			token, pk))
	if r.Status != 200 {
		n.T.Fatal(r)
	}
	return r.Body == `{"pass":true}`
}

// joinToken gets a token for a game from a node.
func (n *httpNet) joinToken(h gamestest.HTTPGame) string {
	n.T.Helper()
	_, after, _ := strings.Cut(n.Do(gamestest.Player4, "POST /game/"+h.GameID+"/request-join", `{"asSpec":false}`).Body,
		`"joinToken":"`)
	return strings.TrimSuffix(after, `"}`)
}

// Keys of players.
const (
	keyAnna  = "rsVZ0JsrDuLsqoFYRj0KkPAQgSiUy7nI/8SxF0UEzqA="
	keyBerta = "AISvCVmVREY6hfgWZRpHqAjGVfi+3dF8zDRJmqd6Po4="
)

// The token of a player without a key is valid only for the address at which the player
// first used it.
func TestTokenWithoutAKeyIsOfOneAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, nodes := startHTTPNodes(t, 1)
		n := nodes[0]
		h := n.Publish(gamestest.Host4, 2100, gamestest.Room)
		token := n.joinToken(h)
		for _, tt := range []struct {
			at   string
			pass bool
		}{
			{"203.0.113.5", true},
			{"::ffff:203.0.113.5", true},
			{"203.0.113.6", false},
			{"2001:db8::5", false},
		} {
			r := n.Do(gamestest.Host4, h.Request("POST", "/check-join-request"),
				fmt.Sprintf(`{"joinToken":%q,"ip":%q,"name":"Joiner","pk":"","connMethod":"tcp","asSpec":false}`, token,
					tt.at))
			if r.Status != 200 || (r.Body == `{"pass":true}`) != tt.pass {
				t.Errorf("%s: %v", tt.at, r)
			}
		}
		if n.checkJoin(h, token, keyAnna) {
			t.Error("a player with a key uses the token of one without")
		}
	})
}

// A token that a player has used is valid only for this player, at all nodes and after a
// restart.
func TestUsedTokenIsOfOnePlayer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := startHTTPNodes(t, 2)
		h := nodes[0].Publish(gamestest.Host4, 2100, gamestest.Room)
		time.Sleep(shareTime)
		b.Flush()
		first, second := nodes[0].joinToken(h), nodes[1].joinToken(h)
		if !nodes[0].checkJoin(h, first, keyAnna) || !nodes[1].checkJoin(h, second, keyBerta) {
			t.Fatal("a player does not pass")
		}
		for range 3 { // until the nodes have heard of each other's players
			time.Sleep(2 * time.Second)
			b.Flush()
		}
		for i, n := range nodes {
			if n.checkJoin(h, first, keyBerta) || n.checkJoin(h, second, keyAnna) {
				t.Errorf("node %d accepts a token of another player", i)
			}
			if !n.checkJoin(h, first, keyAnna) || !n.checkJoin(h, second, keyBerta) {
				t.Errorf("node %d does not let a player try again", i)
			}
		}

		// At the same time at both nodes: both may pass now, later only one of them.
		both := nodes[0].joinToken(h)
		nodes[0].checkJoin(h, both, keyAnna)
		nodes[1].checkJoin(h, both, keyBerta)
		for range 3 {
			time.Sleep(2 * time.Second)
			b.Flush()
		}
		anna, berta := nodes[0].checkJoin(h, both, keyAnna), nodes[0].checkJoin(h, both, keyBerta)
		if anna == berta || nodes[1].checkJoin(h, both, keyAnna) != anna ||
			nodes[1].checkJoin(h, both, keyBerta) != berta {
			t.Errorf("the nodes do not agree on one player: %v, %v", anna, berta)
		}

		third := nodes[0].joinToken(h)
		nodes[0].checkJoin(h, third, keyAnna)
		fatalIf(t, nodes[0].lobby.Close())
		restarted := startLobby(t, &Lobby{Games: nodes[0].games, Key: clusterKey})
		if !restarted.checkJoin(h, third, keyAnna) || restarted.checkJoin(h, third, keyBerta) {
			t.Error("after a restart a token is another player's")
		}
	})
}
