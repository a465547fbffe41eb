package warzonenet

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

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
		all = append(all, startHTTPLobby(t, &HTTPLobby{Games: g, Key: clusterKey}))
	}
	return b, all
}

// statusOf is the body of a Status with one connection over IPv4.
func (h *httpHosted) statusOf(published bool, status wzhttp.Validation) string {
	return fmt.Sprintf(`{"gameId":%q,"published":%v,"connections":[{"type":"tcp:ip4","status":%q}]}`, h.GameID, published, status)
}

const connection4 = `{"type":"tcp:ip4","host":"","port":2100}`

// A host may send each request to another node, even before its game is published.
func TestHTTPLobbyHostMoves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := startHTTPNodes(t, 3)
		h := nodes[0].create(host4, room)
		nodes[1].do(host4, h.request("POST", "/connection"), connection4).wantError(t, 429, "RATE_LIMITED")
		b.Flush()
		nodes[1].playAt(host4+":2100", &h)
		if r := nodes[1].do(host4, h.request("POST", "/connection"), connection4); r.status != 202 {
			t.Fatal(r)
		}
		if r := nodes[0].do(host6, h.request("POST", "/connection"), `{"type":"tcp:ip6","host":"","port":2100}`); r.status != 202 {
			t.Fatal(r) // nobody listens there
		}
		synctest.Wait()
		b.Flush()
		want := strings.Replace(h.statusOf(true, "validated"), "[", `[{"type":"tcp:ip6","status":"error"},`, 1)
		nodes[0].do(host4, h.request("PATCH", ""), `{"players":{"cur":2,"max":4}}`).want(t, 200, want)
		for range 10 { // longer than a game lives that is not published
			time.Sleep(5 * time.Second)
			b.Flush()
			for i, n := range nodes {
				if l := n.list(); len(l) != 1 || !strings.Contains(l[0], `"cur":2`) {
					t.Fatalf("node %d lists %q", i, l)
				}
			}
		}
		nodes[2].do(host4, h.request("PATCH", ""), "{}").want(t, 200, h.statusOf(true, "validated"))
		if s := nodes[0].lobby.Stats(); s.Added != 1 || nodes[1].lobby.Stats().Added+nodes[2].lobby.Stats().Added > 0 {
			t.Errorf("stats %+v", s)
		}
	})
}

// A node learns the result of a check by another node, and starts no check of its own
// while that one may still run.
func TestHTTPLobbyHearsOfLooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := startHTTPNodes(t, 2)
		h := nodes[0].create(host4, room)
		b.Flush()
		l, err := nodes[1].network.Listen(netip.MustParseAddrPort(host4 + ":2100"))
		fatalIf(t, err)
		defer l.Close()
		submitted := h.statusOf(false, "submitted")
		nodes[1].do(host4, h.request("POST", "/connection"), connection4).want(t, 202, submitted)
		b.Flush()
		nodes[0].do(host4, h.request("PATCH", ""), "{}").want(t, 200, submitted)
		time.Sleep(httpVerifyTimeout - time.Second)
		nodes[0].do(host4, h.request("PATCH", ""), "{}").want(t, 200, submitted)
		c, err := l.Accept()
		fatalIf(t, err)
		answerLook(c, &h)
		c.Close()
		synctest.Wait()
		b.Flush()
		nodes[0].do(host4, h.request("PATCH", ""), "{}").want(t, 200, h.statusOf(true, "validated"))
	})
}

// A node that has received a game shares it again only after a request of the host changes
// it: a Store may drop a state that another state replaces at once.
func TestHTTPLobbySharesNewsOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := startHTTPNodes(t, 2)
		h := nodes[0].create(host4, room)
		b.Flush()
		nodes[1].do(host4, h.request("PATCH", ""), "{}")
		if n := b.Nodes[1].Told(); n != 0 {
			t.Errorf("shared %d times without news", n)
		}
		nodes[1].do(host4, h.request("PATCH", ""), `{"name":"Chess"}`)
		if n := b.Nodes[1].Told(); n != 1 {
			t.Errorf("news shared %d times", n)
		}
	})
}

// An unpublished game survives the end of the node to which it was announced, even during
// the check of the host.
func TestHTTPLobbyUnpublishedSurvives(t *testing.T) {
	for _, tt := range []struct {
		name string
		end  func(n *httpNet)
	}{
		{"it ends", func(n *httpNet) { fatalIf(n.t, n.lobby.Close()) }},
		{"it is killed", func(*httpNet) {}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, nodes := startHTTPNodes(t, 2)
				h := nodes[0].create(host4, room)
				l, err := nodes[0].network.Listen(netip.MustParseAddrPort(host4 + ":2100")) // which never answers
				fatalIf(t, err)
				defer l.Close()
				nodes[0].do(host4, h.request("POST", "/connection"), connection4).want(t, 202, h.statusOf(false, "submitted"))
				b.Flush()
				tt.end(nodes[0])
				b.Flush()
				time.Sleep(time.Minute) // less than hosts wait
				nodes[1].playAt(host4+":2100", &h)
				for range 2 { // the other node could still look
					nodes[1].do(host4, h.request("PATCH", ""), "{}").want(t, 200, h.statusOf(false, "submitted"))
					time.Sleep(httpVerifyTimeout + time.Second)
				}
				nodes[1].do(host4, h.request("PATCH", ""), "{}").want(t, 200, h.statusOf(true, "validated"))
				if l := nodes[1].list(); len(l) != 1 {
					t.Errorf("listed %q", l)
				}
			})
		})
	}
}

// The same is true of the next lobby with the same Games and no Store.
func TestHTTPLobbyUnpublishedSurvivesAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		games := new(warzonegames.Games)
		first := startHTTPLobby(t, &HTTPLobby{Games: games, Key: clusterKey})
		h := first.create(host4, room)
		first.do(host4, h.request("PATCH", ""), `{"name":"Chess"}`)
		ended := first.create(host4, room)
		first.do(host4, ended.request("DELETE", ""), "")
		fatalIf(t, first.lobby.Close())
		time.Sleep(10 * time.Second)
		second := startHTTPLobby(t, &HTTPLobby{Games: games, Key: clusterKey, NoVerify: true})
		second.do(host4, h.request("POST", "/connection"), connection4).want(t, 202, h.statusOf(false, "validated"))
		second.do(host4, h.request("PATCH", ""), "{}").want(t, 200, h.statusOf(true, "validated"))
		if l := second.list(); len(l) != 1 || !strings.Contains(l[0], `"name":"Chess"`) {
			t.Errorf("listed %q", l)
		}
		second.do(host4, ended.request("PATCH", ""), "{}").wantError(t, 404, "GAME_NOT_FOUND")
	})
}

// A game that its host removes before it is published is removed from all nodes.
func TestHTTPLobbyUnpublishedEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := startHTTPNodes(t, 2)
		nodes[1].list() // so that it has started
		h := nodes[0].create(host4, room)
		b.Flush()
		l, err := nodes[0].network.Listen(netip.MustParseAddrPort(host4 + ":2100")) // which never answers
		fatalIf(t, err)
		defer l.Close()
		nodes[0].do(host4, h.request("POST", "/connection"), connection4).want(t, 202, h.statusOf(false, "submitted"))
		nodes[0].do(host4, h.request("DELETE", ""), "")
		time.Sleep(handover) // the check ends, too
		b.Flush()
		nodes[1].do(host4, h.request("PATCH", ""), "{}").wantError(t, 404, "GAME_NOT_FOUND")

		// So it is when the host is silent for longer than it would be.
		h = nodes[0].create(host4, room)
		b.Flush()
		time.Sleep(wzhttp.Life)
		nodes[1].do(host4, h.request("PATCH", ""), "{}").wantError(t, 404, "GAME_NOT_FOUND")
	})
}

// What a Store changes in the addresses of an unpublished game is ignored.
func TestHTTPLobbyIgnoresWrongAddresses(t *testing.T) {
	for _, wrong := range []string{"{", "{}", "[null]", "[[]]", "[1,null]"} {
		synctest.Test(t, func(t *testing.T) {
			b, nodes := startHTTPNodes(t, 2)
			h := nodes[0].create(host4, room)
			e := b.Nodes[0].Puts[0]
			e.HTTP.Announced = wrong
			b.Nodes[1].Deliver(e)
			if r := nodes[1].do(host4, h.request("PATCH", ""), "{}"); r.status != 200 || !strings.Contains(r.body, `"connections":[]`) {
				t.Errorf("%q: %v", wrong, r)
			}
		})
	}
}

// checkJoin asks a node about a player, and reports whether the player passes.
func (n *httpNet) checkJoin(h httpHosted, token, pk string) bool {
	n.t.Helper()
	r := n.do(host4, h.request("POST", "/check-join-request"),
		fmt.Sprintf(`{"joinToken":%q,"ip":"203.0.113.5","name":"Joiner","pk":%q,"connMethod":"tcp","asSpec":false}`, token, pk))
	if r.status != 200 {
		n.t.Fatal(r)
	}
	return r.body == `{"pass":true}`
}

// joinToken gets a token for a game from a node.
func (n *httpNet) joinToken(h httpHosted) string {
	n.t.Helper()
	_, after, _ := strings.Cut(n.do(player4, "POST /game/"+h.GameID+"/request-join", `{"asSpec":false}`).body, `"joinToken":"`)
	return strings.TrimSuffix(after, `"}`)
}

// Keys of players.
const (
	keyAnna  = "rsVZ0JsrDuLsqoFYRj0KkPAQgSiUy7nI/8SxF0UEzqA="
	keyBerta = "AISvCVmVREY6hfgWZRpHqAjGVfi+3dF8zDRJmqd6Po4="
)

// A token that a player has used is valid only for this player, at all nodes and after a
// restart.
func TestHTTPLobbyReplay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := startHTTPNodes(t, 2)
		h := nodes[0].publish(host4, 2100, room)
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
		if anna == berta || nodes[1].checkJoin(h, both, keyAnna) != anna || nodes[1].checkJoin(h, both, keyBerta) != berta {
			t.Errorf("the nodes do not agree on one player: %v, %v", anna, berta)
		}

		third := nodes[0].joinToken(h)
		nodes[0].checkJoin(h, third, keyAnna)
		fatalIf(t, nodes[0].lobby.Close())
		restarted := startHTTPLobby(t, &HTTPLobby{Games: nodes[0].games, Key: clusterKey})
		if !restarted.checkJoin(h, third, keyAnna) || restarted.checkJoin(h, third, keyBerta) {
			t.Error("after a restart a token is another player's")
		}
	})
}

// A game remembers a limited number of used tokens, and removes expired ones.
func TestJoinsAreBounded(t *testing.T) {
	const maxJoins, usedSize = 128, 24
	tokens, now := httpTokens{clusterKey}, time.Unix(1_700_000_000, 0)
	joins := ""
	add := func(player string, now time.Time) bool {
		token, ok := tokens.isJoin(tokens.joinToken(1, 2, false, now), 1, 2, false, now)
		if !ok {
			t.Fatal("a new token is not valid")
		}
		joins, ok = warzonegames.AddJoin(joins, token, player, now)
		return ok
	}
	for i := range 2 * maxJoins {
		if !add(fmt.Sprint("player ", i), now.Add(time.Duration(i)*time.Millisecond)) {
			t.Fatalf("player %d is refused", i)
		}
	}
	if len(joins) != maxJoins*usedSize {
		t.Errorf("%d bytes", len(joins))
	}
	add("late", now.Add(2*joinLife))
	if len(joins) != usedSize {
		t.Errorf("%d bytes, want one token that has not expired", len(joins))
	}
}
