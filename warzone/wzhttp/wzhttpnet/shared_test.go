package wzhttpnet

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// A withheld game is hidden, and its host notices nothing.
func TestLobbyWithholds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, &Lobby{Games: &warzonegames.Games{Admit: func(e warzonegames.Entry) bool {
			return e.Game.Name != "Casino"
		}}})
		h := n.Publish(gamestest.Host4, 2100, strings.Replace(gamestest.Room, "Grüße from Go", "Casino", 1))
		wantLines(t, n.List())
		n.Do(gamestest.Player4, "POST /game/"+h.GameID+"/request-join", `{"asSpec":false}`).WantError(t, 404,
			"GAME_NOT_FOUND")
		if r := n.Do(gamestest.Host4, h.Request("PATCH", ""), `{"name":"Chess"}`); r.Status != 200 ||
			len(n.List()) != 1 {
			t.Errorf("renamed: %+v", r)
		}
	})
}

// Games that the lobby has no room for are refused with a reason.
func TestFullLobbyRefusesWithAReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		games := &warzonegames.Games{Limits: warzonegames.Limits{MaxPerAddress: 1}}
		n := startLobby(t, &Lobby{Games: games, NoVerify: true})
		create := func() gamestest.HTTPReply {
			h := n.Create(gamestest.Host4, gamestest.Room)
			n.Do(gamestest.Host4, h.Request("POST", "/connection"),
				fmt.Sprintf(`{"type":"tcp:ip4","host":"","port":%d}`, 2100+len(n.List())))
			return n.Do(gamestest.Host4, h.Request("PATCH", ""), "{}")
		}
		if r := create(); r.Status != 200 {
			t.Fatal(r)
		}
		create().WantError(t, 403, codeNotListed)
	})
}

// The tokens of hosts stay valid when the lobby is restarted with its key, and at another
// node, even before that node has received the game.
func TestTokensSurviveRestartsAndMoves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := gamestest.Nodes(t, 2)
		key := []byte("0123456789abcdef0123456789abcdef")
		first := startLobby(t, &Lobby{Games: nodes[0], Key: key})
		second := startLobby(t, &Lobby{Games: nodes[1], Key: key})
		stranger := startLobby(t, &Lobby{Games: nodes[1]})
		h := first.Publish(gamestest.Host4, 2100, gamestest.Room)

		second.Do(gamestest.Host4, h.Request("PATCH", ""), "{}").WantError(t, 429, "RATE_LIMITED")
		b.Flush()
		if r := second.Do(gamestest.Host4, h.Request("PATCH", ""), `{"players":{"cur":1,"max":4}}`); r.Status != 200 {
			t.Fatal(r)
		}
		stranger.Do(gamestest.Host4, h.Request("PATCH", ""), "{}").WantError(t, 401, codeUnauthorized)
		opened := func(g *warzonegames.Games) time.Time {
			e, _ := g.ForLobbies().Find(netip.MustParseAddrPort(gamestest.Host4 + ":2100"))
			return e.Opened
		}
		was := opened(nodes[0])
		for i := range 6 { // back and forth, longer than a game lives
			time.Sleep(30 * time.Second)
			b.Flush()
			n := []*httpNet{first, second}[i%2]
			if r := n.Do(gamestest.Host4, h.Request("PATCH", ""),
				fmt.Sprintf(`{"players":{"cur":%d,"max":4}}`, i)); r.Status != 200 {
				t.Fatalf("%d: %+v", i, r)
			}
			time.Sleep(2 * time.Second)
			b.Flush()
			for _, n := range []*httpNet{first, second} {
				if l := n.List(); len(l) != 1 || !strings.Contains(l[0], fmt.Sprintf(`"cur":%d,"max":4`, i)) {
					t.Fatalf("%d: listed %q", i, l)
				}
			}
		}
		if !opened(nodes[0]).Equal(was) {
			t.Error("the game seems to be opened again")
		}
		if r := first.Do(gamestest.Host4, h.Request("DELETE", ""), ""); r.Status != 200 {
			t.Error(r)
		}
		b.Flush()
		wantLines(t, first.List())
		wantLines(t, second.List())
		second.Do(gamestest.Host4, h.Request("PATCH", ""), "{}").WantError(t, 404, "GAME_NOT_FOUND")
	})
}
