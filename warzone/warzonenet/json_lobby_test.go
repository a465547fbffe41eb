package warzonenet

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

// newJSONNet returns a network with a JSONLobby, and a client of it.
func newJSONNet(t testing.TB, from string) (*protocolsNet, *JSONClient) {
	n := newProtocolsNet(t)
	n.serve(proposals()[2], lobbywire.ConnLimits{})
	return n, &JSONClient{Dial: n.from(from), ListEvery: -1}
}

func wantRefused(t testing.TB, what string, err error) {
	t.Helper()
	if refused := (*LobbyError)(nil); !errors.As(err, &refused) || refused.Text == "" {
		t.Errorf("%s: %v, want it refused with a text", what, err)
	}
}

// A game can be changed only with its id.
func TestJSONLobbyIDs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, c := newJSONNet(t, "198.51.100.7")
		lobby := jsonAddr.String()
		id, err := c.Add(t.Context(), lobby, wzjson.Add{Name: "A game", Tech: wzjson.TechT1, MaxPlayers: 4})
		fatalIf(t, err)
		other := &JSONClient{Dial: n.from("198.51.100.8")}
		otherID, err := other.Add(t.Context(), lobby, wzjson.Add{Name: "Other"})
		fatalIf(t, err)
		games, err := c.List(t.Context(), lobby)
		fatalIf(t, err)
		for _, g := range games.Games {
			if len(g.Extra) > 0 {
				t.Errorf("listed with %v", g.Extra)
			}
		}

		// All clients that list games get their numbers.
		flipped := []byte(id)
		flipped[len(flipped)-1] ^= 1
		for name, wrong := range map[string]string{
			"none": "x", "another's number": otherID[:2*idNumber] + id[2*idNumber:],
			"one digit": string(flipped), "short": id[:len(id)-2], "long": id + "00",
			"no hash": id[:2*idNumber] + strings.Repeat("0", 2*macSize),
		} {
			name := "wrong id, " + name
			title := "Taken over"
			wantRefused(t, name, other.Update(t.Context(), lobby, wzjson.Update{ID: wrong, Fields: wzjson.Fields{Name: &title}}))
			wantRefused(t, name, other.Heartbeat(t.Context(), lobby, wrong))
			wantRefused(t, name, other.Goodbye(t.Context(), lobby, wrong))
		}
		n.wantNames(proposals()[2], "A game", "Other")

		// The id of a removed game, or an id of another lobby, is refused.
		again, err := c.Add(t.Context(), lobby, wzjson.Add{Name: "A game again"})
		fatalIf(t, err)
		if again == id {
			t.Error("the same id again")
		}
		wantRefused(t, "before", c.Goodbye(t.Context(), lobby, id))
		n.wantNames(proposals()[2], "A game again", "Other")
		number, _ := hex.DecodeString(again)
		e, _ := n.games.FindID(binary.BigEndian.Uint32(number))
		foreign := JSONLobby{key: []byte("another key")}
		wantRefused(t, "foreign", c.Goodbye(t.Context(), lobby, foreign.id(&e)))
		fatalIf(t, c.Goodbye(t.Context(), lobby, again))
		wantRefused(t, "after goodbye", c.Heartbeat(t.Context(), lobby, again))
		n.wantNames(proposals()[2], "Other")
	})
}

// No id is valid for a game of another protocol, even if it has the game's number.
func TestJSONLobbyChangesOnlyItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l JSONLobby
		n := newProtocolsNet(t)
		l.Games = n.games
		n.start(&l, jsonAddr)
		e, err := n.games.Add(warzonegames.Entry{Key: scriptedAddr, Source: warzonegames.SourceText, Game: gamestest.Named("A game")})
		fatalIf(t, err)
		l.server.Once.Do(l.init)
		c := JSONClient{Dial: n.from("192.0.2.53")}
		wantRefused(t, "text", c.Goodbye(t.Context(), jsonAddr.String(), l.id(&e)))
	})
}

func TestJSONIDsAreUnlike(t *testing.T) {
	l := JSONLobby{key: []byte("another key")}
	seen := map[string]bool{}
	for i := range 1000 {
		id := l.id(&warzonegames.Entry{ID: uint32(i/2 + 1), Opened: time.Unix(int64(i%2), 0), Source: warzonegames.SourceJSON})
		if b, err := hex.DecodeString(id); err != nil || len(id) > wzjson.MaxID || len(b) != idNumber+macSize || seen[id[2*idNumber:]] {
			t.Fatalf("%s: %v", id, err)
		}
		seen[id[2*idNumber:]] = true
	}
}

// Updates and heartbeats keep a game listed, and an update keeps the fields that it
// does not name.
func TestJSONLobbyUpdates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, c := newJSONNet(t, "198.51.100.7")
		lobby := jsonAddr.String()
		id, err := c.Add(t.Context(), lobby, wzjson.Add{Name: "A game", Map: "Rush", Tech: wzjson.TechT1, MaxPlayers: 4})
		fatalIf(t, err)
		players, empty := 8, ""
		time.Sleep(119 * time.Second)
		fatalIf(t, c.Update(t.Context(), lobby, wzjson.Update{ID: id, Fields: wzjson.Fields{MaxPlayers: &players}}))
		wantRefused(t, "no name", c.Update(t.Context(), lobby, wzjson.Update{ID: id, Fields: wzjson.Fields{Name: &empty}}))
		for range 10 {
			time.Sleep(119 * time.Second)
			fatalIf(t, c.Heartbeat(t.Context(), lobby, id))
		}
		games, err := c.List(t.Context(), lobby)
		fatalIf(t, err)
		if len(games.Games) != 1 || games.Games[0].Name != "A game" || games.Games[0].Map != "Rush" || games.Games[0].Tech != "T1" || games.Games[0].MaxPlayers != 8 {
			t.Errorf("listed %+v", games)
		}
		time.Sleep(121 * time.Second)
		wantRefused(t, "late", c.Heartbeat(t.Context(), lobby, id))
	})
}

func TestJSONLobbyFilters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, c := newJSONNet(t, "198.51.100.7")
		for i, e := range []warzonegames.Entry{
			{Game: gamestest.Named("One"), Tech: "T1"}, {Game: gamestest.Named("Two"), Tech: "T2"}, {Game: gamestest.Named("Three"), Tech: "T1"},
		} {
			e.Key, e.Source = gamestest.Key(i), warzonegames.SourceJSON
			_, err := n.games.Add(e)
			fatalIf(t, err)
		}
		one, two, t1, eight := "One", "Two", wzjson.TechT1, 8
		for _, tt := range []struct {
			filter []wzjson.Fields
			want   string
		}{
			{nil, "One Two Three"},
			{[]wzjson.Fields{{Tech: &t1}}, "One Three"},
			{[]wzjson.Fields{{Name: &one}, {Name: &two}}, "One Two"},
			{[]wzjson.Fields{{Name: &two, Tech: &t1}}, ""},
			{[]wzjson.Fields{{MaxPlayers: &eight}}, ""},
			{[]wzjson.Fields{{}}, "One Two Three"},
			{make([]wzjson.Fields, maxFilter), "One Two Three"},
		} {
			games, err := c.List(t.Context(), jsonAddr.String(), tt.filter...)
			fatalIf(t, err)
			var names []string
			for _, g := range games.Games {
				names = append(names, g.Name)
			}
			if got := strings.Join(names, " "); got != tt.want {
				t.Errorf("%+v: %q, want %q", tt.filter, got, tt.want)
			}
		}
		_, err := c.List(t.Context(), jsonAddr.String(), make([]wzjson.Fields, maxFilter+1)...)
		wantRefused(t, "a long filter", err)
	})
}
