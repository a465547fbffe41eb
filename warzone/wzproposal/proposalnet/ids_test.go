package proposalnet

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/suite"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// A game can be changed only with its id.
func TestOnlyTheIDChangesAGame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, f := newLobbyNet(t), ofJSON()
		l := n.serve(f, lobbywire.ConnLimits{})
		const own, others = "198.51.100.7", "198.51.100.8"
		id := n.open(f, own, "A game")
		otherID := n.open(f, others, "Other")
		change := func(from, id string, v verb) error {
			_, err := n.command(f, from, command{verb: v, id: id, game: Game{Name: "Taken over"}})
			return err
		}
		games, err := (&Client{Proposal: JSON, Dial: n.from(own)}).List(t.Context(), f.addr.String())
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
			"no hash": id[:2*idNumber] + strings.Repeat("0", 2*idProof),
		} {
			for _, v := range []verb{verbUpdate, verbKeep, verbClose} {
				n.wantRefused("wrong id, "+name, change(others, wrong, v))
			}
		}
		n.wantNames(f, "A game", "Other")

		// The id of a removed game, or an id of another lobby, is refused.
		again := n.open(f, own, "A game again")
		if again == id {
			t.Error("the same id again")
		}
		n.wantRefused("before", change(own, id, verbClose))
		n.wantNames(f, "A game again", "Other")
		number, _ := hex.DecodeString(again)
		e, _ := n.games.FindID(binary.BigEndian.Uint32(number))
		foreign := newIDs(nil)
		n.wantRefused("foreign", change(own, foreign.id(&e), verbClose))
		fatalIf(t, change(own, again, verbClose))
		n.wantRefused("after goodbye", change(own, again, verbKeep))
		n.wantNames(f, "Other")

		// No id is valid for a game of another protocol, even if it has the game's number.
		e = n.add(scriptedAddr, warzonegames.Entry{Source: warzonegames.SourceText, Game: gamestest.Named("A game")})
		n.wantRefused("text", change(own, l.ids.id(&e), verbClose))
	})
}

// Lobbies with the same Key know each other's ids.
func TestSharedKeyKnowsIDs(t *testing.T) {
	e := &warzonegames.Entry{ID: 5, Opened: time.Unix(1, 2)}
	a, again, other := newIDs([]byte("a")), newIDs([]byte("a")), newIDs([]byte("b"))
	if a.id(e) != again.id(e) || a.id(e) == other.id(e) {
		t.Errorf("%s, %s, and with another key %s", a.id(e), again.id(e), other.id(e))
	}
}

func TestIDsAreUnlike(t *testing.T) {
	ids := newIDs(nil)
	seen := map[string]bool{}
	for i := range 1000 {
		id := ids.id(&warzonegames.Entry{ID: uint32(i/2 + 1), Opened: time.Unix(int64(i%2), 0)})
		if b, err := hex.DecodeString(id); err != nil || len(id) > wzjson.MaxID || len(b) != idNumber+idProof ||
			seen[id[2*idNumber:]] {
			t.Fatalf("%s: %v", id, err)
		}
		seen[id[2*idNumber:]] = true
	}
}

// Updates and heartbeats keep a game listed, and an update keeps the fields that it does not
// name.
func TestUpdateKeepsUnnamedFields(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, f := newLobbyNet(t), ofJSON()
		n.serve(f, lobbywire.ConnLimits{})
		c := n.connect("198.51.100.7", f)
		ack, err := wzjson.ParseAddAck(c.ask(f.open(2100, "A game")))
		fatalIf(t, err)
		id := `"id":"` + ack.ID + `"`
		later := func(members string) []byte {
			time.Sleep(119 * time.Second)
			return n.connect("198.51.100.7", f).ask(object(members))
		}
		if b := later(`"command":"update","players":8,` + id); f.isFailure(b) {
			t.Errorf("%q", b)
		}
		if b := later(`"command":"update","name":"",` + id); !f.isFailure(b) {
			t.Errorf("no name: %q", b)
		}
		e, ok := n.games.ForLobbies().Find(netip.MustParseAddrPort("198.51.100.7:2100"))
		if g := gameOf(&e); !ok || g.Name != "A game" || g.Map != "Rush" || g.Tech != "T1" || g.MaxPlayers != 8 {
			t.Errorf("listed %+v", g)
		}
		n.open(f, "198.51.100.7", "A game")
	})
}

// A filter passes the games that it matches, and a long one is refused.
func TestFilterPassesMatchingGames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, f := newLobbyNet(t), ofJSON()
		l := n.serve(f, lobbywire.ConnLimits{})
		n.names(f)
		r := rand.New(rand.NewPCG(1, 2))
		word := func() string { return fmt.Sprint("w", r.IntN(3)) }
		for i := range 40 {
			game := gamestest.Named(word())
			game.MapName, game.MaxPlayers = word(), uint32(r.IntN(3))
			n.add(gamestest.Key(256*i), warzonegames.Entry{Source: warzonegames.SourceJSON, Game: game, Tech: word()})
		}
		all := l.lister.rows.List()
		list, err := wzjson.ParseListAck(all)
		fatalIf(t, err)
		for range 300 {
			m := wzjson.List{Filter: make([]wzjson.Fields, 1+r.IntN(maxFilter))}
			for i := range m.Filter {
				m.Filter[i] = someFields(r, word)
			}
			var want []string
			for _, g := range list.Games {
				if m.Match(g) {
					want = append(want, g.Host.String())
				}
			}
			time.Sleep(time.Second)
			b, err := l.lister.list(scriptedAddr.Addr(), m.Filter)
			fatalIf(t, err)
			got, err := wzjson.ParseListAck(b)
			fatalIf(t, err)
			var passed []string
			for _, g := range got.Games {
				passed = append(passed, g.Host.String())
			}
			if !slices.Equal(passed, want) {
				t.Fatalf("%+v: %q, want %q", m.Filter, passed, want)
			}
		}
		_, err = l.lister.list(scriptedAddr.Addr(), make([]wzjson.Fields, maxFilter+1))
		if !errors.Is(err, errFilter) {
			t.Errorf("a long filter: %v", err)
		}
	})
}

// A list that has no room for all games is counted as cut, until it has.
func TestCutListsAreCounted(t *testing.T) {
	for _, f := range wireForms() {
		synctest.Test(t, func(t *testing.T) {
			n := newLobbyNet(t)
			n.games.Limits = warzonegames.Limits{MaxPerAddress: 1 << 20, MaxPerPrefix: 1 << 20}
			l := n.serve(f, lobbywire.ConnLimits{})
			n.names(f)
			isCut := func() bool {
				l.lister.rows.List()
				return l.Stats().Cut
			}
			var last uint32
			for i := range wzproposal.MaxGames + 1 {
				if i < 10 && isCut() {
					t.Errorf("%d games are cut", i)
				}
				e, err := n.games.Add(warzonegames.Entry{Key: gamestest.Key(i), Game: gamestest.Named("Game")})
				fatalIf(t, err)
				last = e.ID
			}
			if !isCut() {
				t.Error("a list of more games than it can have is not cut")
			}
			n.games.Remove(last)
			if got := isCut(); got != (f.Proposal == JSON) { // which has fewer
				t.Errorf("with one game less, it is cut: %v", got)
			}
		})
	}
}

// someFields returns an element of a filter.
func someFields(r *rand.Rand, word func() string) (f wzjson.Fields) {
	for _, set := range []func(){
		func() { f.Name = new(word()) }, func() { f.Map = new(word()) },
		func() { f.Tech = new(wzjson.Tech(word())) }, func() { f.MaxPlayers = new(r.IntN(3)) },
	} {
		if r.IntN(3) > 0 {
			set()
		}
	}
	if r.IntN(9) == 0 {
		f.Extra = map[string]json.RawMessage{"mods": json.RawMessage("1")}
	}
	return f
}

// The rate of filtered lists is limited for each source, over all its connections. Other
// lists and other sources are not affected.
func TestFiltersAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, f := newLobbyNet(t), ofJSON()
		n.serve(f, lobbywire.ConnLimits{})
		n.open(f, "198.51.100.7", "A game")
		served := func(from string) bool {
			t.Helper()
			list := command{verb: verbList, filter: []wzjson.Fields{{Map: new("Rush")}}}
			_, err := n.command(f, from, list)
			if refused := (*LobbyError)(nil); err != nil && !errors.As(err, &refused) {
				t.Fatal(err)
			}
			return err == nil
		}
		got := 0
		began := time.Now()
		for time.Since(began) < 10*time.Second {
			for range 20 {
				if served("198.51.100.7") {
					got++
				}
			}
			time.Sleep(time.Second)
		}
		if got < 16+4*8 || got > 16+4*11 {
			t.Errorf("%d lists with a filter in 10 seconds", got)
		}
		for served("198.51.100.7") {
		}
		n.wantNames(f, "A game")
		if !served("203.0.113.9") {
			t.Error("another source is refused")
		}
		time.Sleep(time.Second)
		if !served("198.51.100.7") {
			t.Error("refused after a second")
		}
	})
}

// A filter that no game passes allocates the same amount with many games as with few.
func TestFilterCopiesNoRows(t *testing.T) {
	filter := []wzjson.Fields{{Map: new("Other")}}
	for _, games := range []int{1, 5000} {
		l := Lobby{Proposal: JSON, Games: new(warzonegames.Games)}
		l.server.Once.Do(l.init)
		for i := range games {
			_, err := l.Games.Add(warzonegames.Entry{Key: gamestest.Key(256 * i), Source: warzonegames.SourceJSON,
				Game: gamestest.Named("A game")})
			fatalIf(t, err)
		}
		l.lister.rows.List()
		const runs = 100
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range runs {
			l.lister.rows.Read(func(rows []row) { l.lister.join(rows, filter) })
		}
		runtime.ReadMemStats(&after)
		if allocated := (after.TotalAlloc - before.TotalAlloc) / runs; allocated > 2<<10 {
			t.Errorf("%d games: %d bytes", games, allocated)
		}
	}
}

// A game takes memory for its records and texts, not for the message that had the texts.
func TestPaddedGamesAreSmall(t *testing.T) {
	games := suite.Pick(2000, 10_000)
	isOpened := ofJSON().isOpened
	blanks := strings.Repeat(" ", maxObject-200)
	var sizes [2]int
	for i, padding := range []string{"", blanks} {
		l := &Lobby{Proposal: JSON, Games: &warzonegames.Games{Limits: warzonegames.Limits{MaxPerPrefix: games}}}
		l.server.Once.Do(l.init)
		before := suite.Heap()
		for n := range games {
			c, _, err := l.dialect.commands()(fmt.Appendf(nil,
				`{"lobbyquery":{"version":1,%s"query":{"command":"add","name":"Game %d","tech":"T1","players":4}}}`,
				padding, n))
			fatalIf(t, err)
			if b := l.answer(gamestest.Key(256*n).Addr(), c); !isOpened(b) {
				t.Fatalf("%q", b)
			}
		}
		sizes[i] = (suite.Heap() - before) / games
		runtime.KeepAlive(l)
	}
	if sizes[1] > sizes[0]+100 {
		t.Errorf("a padded game takes %d bytes, another one %d", sizes[1], sizes[0])
	}
}

// Many sources of a prefix get no more filtered lists than the prefix may have, and many
// prefixes no more than the total.
func TestFiltersAreLimitedTogether(t *testing.T) {
	const seconds, sources = 10, 40
	for _, tt := range []struct {
		name, from     string // with the number of a source
		burst, perTime int
	}{
		{"one prefix", "198.51.100.%d", 64, 16},
		{"many prefixes", "198.51.%d.7", 50, 50},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n, f := newLobbyNet(t), ofJSON()
				n.serve(f, lobbywire.ConnLimits{})
				list := command{verb: verbList, filter: []wzjson.Fields{{Map: new("Rush")}}}
				got := 0
				for range seconds {
					for i := range sources {
						for range 4 {
							if _, err := n.command(f, fmt.Sprintf(tt.from, i+1), list); err == nil {
								got++
							}
						}
					}
					time.Sleep(time.Second)
				}
				if got < tt.perTime*seconds || got > tt.burst+tt.perTime*seconds {
					t.Errorf("%d lists with a filter in %d seconds", got, seconds)
				}
			})
		})
	}
}
