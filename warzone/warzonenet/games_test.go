package warzonenet

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone"
)

// gameAt returns a game with a different address for each i.
func gameAt(i int) Entry {
	a := netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})
	return Entry{
		Key:  netip.AddrPortFrom(a, warzone.GamePort),
		Game: gameOfVersion(warzone.Version4, fmt.Sprintf("Game %d", i)),
	}
}

func addGame(t testing.TB, g *Games, e Entry) Entry {
	t.Helper()
	e, err := g.Add(e)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// namesOf returns the names of all games, sorted.
func namesOf(g *Games) []string {
	var names []string
	for e := range g.All() {
		names = append(names, e.Game.Name)
	}
	slices.Sort(names)
	return names
}

func TestGamesChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g Games
		start := time.Now()
		added := addGame(t, &g, Entry{
			Key:    netip.MustParseAddrPort("[::ffff:192.0.2.1]:2101"),
			Source: SourceJSON, Tech: "T2",
			Game: warzone.Game{Name: "One", MaxPlayers: 4},
		})
		key := netip.MustParseAddrPort("192.0.2.1:2101")
		want := Entry{
			Key: key, ID: added.ID, Source: SourceJSON, Tech: "T2", Opened: start, Seen: start,
			Game: warzone.Game{Name: "One", MaxPlayers: 4, Host: "192.0.2.1", GameID: added.ID},
		}
		comparable := cmp.Comparer(func(a, b netip.AddrPort) bool { return a == b })
		if diff := cmp.Diff(want, added, comparable); diff != "" || added.ID == 0 {
			t.Errorf("added %s", diff)
		}
		changes := g.Changes()

		time.Sleep(time.Minute)
		if !g.Touch(added.ID, time.Time{}) || g.Changes() != changes {
			t.Error("Touch counts as a change, or failed")
		}
		want.Seen = time.Now()
		if e, ok := g.Find(key); !ok || e != want {
			t.Errorf("found %+v, %v", e, ok)
		}

		updated, err := g.Update(added.ID, func(e *Entry) {
			e.Game.Name = "Two"
			e.ID, e.Key, e.Source = 7, netip.AddrPort{}, SourceText
		})
		want.Game.Name = "Two"
		if err != nil || updated != want || g.Changes() == changes {
			t.Errorf("updated %+v, %v", updated, err)
		}
		if e, ok := g.FindID(added.ID); !ok || e != want {
			t.Errorf("found %+v, %v", e, ok)
		}

		changes = g.Changes()
		if !g.Remove(added.ID) || g.Remove(added.ID) || g.Changes() == changes || g.Stats().Listed != 0 {
			t.Error("not removed once")
		}
		if _, err := g.Update(added.ID, func(*Entry) { t.Error("changed what is gone") }); err != ErrGone {
			t.Error(err)
		}
		if g.Touch(added.ID, time.Time{}) {
			t.Error("touched what is gone")
		}
	})
}

func TestGamesRefuse(t *testing.T) {
	at := func(addr string, source Source) Entry {
		return Entry{Key: netip.MustParseAddrPort(addr), Source: source, Game: warzone.Game{Name: "Game"}}
	}
	g := Games{MaxGames: 4, MaxPerAddress: 2, MaxPerPrefix: 3}
	first := addGame(t, &g, at("192.0.2.1:2100", SourceText))
	addGame(t, &g, at("192.0.2.1:2101", SourceJSON))
	bad := at("192.0.2.1:2100", SourceText)
	bad.Game.Version = 9
	sameID := at("192.0.2.2:2100", SourceText)
	sameID.ID = first.ID
	full := func(limit, text string) error {
		return &requestError{fmt.Errorf("%w: %s", ErrFull, limit), text}
	}
	for _, tt := range []struct {
		name string
		e    Entry
		want error // or an error with its texts
	}{
		{"no address", Entry{}, ErrAddress},
		{"port 0", at("192.0.2.9:0", SourceText), ErrAddress},
		{"unspecified", at("0.0.0.0:2100", SourceText), ErrAddress},
		{"multicast", at("[ff02::1]:2100", SourceText), ErrAddress},
		{"other source", at("192.0.2.1:2101", SourceText), ErrTaken},
		{"other source", at("192.0.2.1:2100", SourceBinary), ErrTaken},
		{"id of another", sameID, ErrTaken},
		{"version", bad, lobbywire.ErrUnsupported},
		{"address full", at("192.0.2.1:2102", SourceText), full("MaxPerAddress is 2", "There are too many games from your address: 2 are allowed.")},
		{"same again", at("192.0.2.1:2100", SourceText), nil},
		{"the game's own protocol", at("192.0.2.1:2101", SourceLobby), nil},
		{"other address", at("192.0.2.2:2100", SourceText), nil},
		{"prefix full", at("192.0.2.3:2100", SourceText), full("MaxPerPrefix is 3", "There are too many games from your network: 3 are allowed.")},
		{"other prefix", at("198.51.100.1:2100", SourceText), nil},
		{"full", at("203.0.113.1:2100", SourceText), full("MaxGames is 4", "There are too many games in this lobby: 4 are allowed.")},
	} {
		before := g.Stats().Listed
		_, err := g.Add(tt.e)
		if full := (*requestError)(nil); errors.As(tt.want, &full) {
			if !errors.Is(err, ErrFull) || err.Error() != full.Error() || reason(err) != full.text {
				t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
			}
		} else if !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
		if err != nil && g.Stats().Listed != before {
			t.Errorf("%s: refused and listed", tt.name)
		}
	}
	if s := g.Stats(); s.Listed != 4 || s.Refused != 3 {
		t.Errorf("%+v", s)
	}
}

// A refused game changes nothing.
func TestGamesRefuseUpdate(t *testing.T) {
	var g Games
	e := addGame(t, &g, gameAt(1))
	before := g.list(warzone.LayoutVersioned)
	if _, err := g.Update(e.ID, func(e *Entry) { e.Game.Version = 5 }); !errors.Is(err, lobbywire.ErrUnsupported) {
		t.Error(err)
	}
	if found, _ := g.FindID(e.ID); found != e {
		t.Errorf("changed to %+v", found)
	}
	if after := g.list(warzone.LayoutVersioned); !cmp.Equal(before.pages, after.pages) {
		t.Error("the list has changed")
	}
}

func TestGamesExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g Games
		for i, life := range []time.Duration{time.Minute, 2 * time.Minute, 0} {
			e := gameAt(i)
			if life > 0 {
				e.Expires = time.Now().Add(life)
			}
			addGame(t, &g, e)
		}
		longer := addGame(t, &g, gameAt(3))
		g.Touch(longer.ID, time.Now().Add(time.Minute))
		time.Sleep(59 * time.Second)
		g.Touch(longer.ID, time.Now().Add(time.Hour))
		time.Sleep(2 * time.Second)
		if names := namesOf(&g); !slices.Equal(names, []string{"Game 1", "Game 2", "Game 3"}) {
			t.Errorf("after a minute: %q", names)
		}
		time.Sleep(time.Minute)
		if names := namesOf(&g); !slices.Equal(names, []string{"Game 2", "Game 3"}) {
			t.Errorf("after two minutes: %q", names)
		}
		time.Sleep(20 * 365 * 24 * time.Hour)
		if l := g.list(warzone.LayoutVersioned); l.count != 1 || g.Stats().Listed != 1 {
			t.Errorf("after twenty years: %d games", l.count)
		}
	})
}

// Lists omit games that their protocol cannot carry.
func TestGamesShowInEachLayout(t *testing.T) {
	long := strings.Repeat("ü", 100)
	for _, tt := range []struct {
		name    string
		e       Entry
		lists   [listCount]int // how many games: 814 bytes, 2.1, 2.0
		version uint32         // of the 814 bytes
		port    uint16
	}{
		{"proposal", Entry{Key: netip.MustParseAddrPort("192.0.2.1:4000"), Source: SourceText,
			Game: warzone.Game{Name: long, MapName: long, MaxPlayers: 4}}, [listCount]int{1, 0, 0}, 4, 4000},
		{"proposal at the port of 2.1", Entry{Key: netip.MustParseAddrPort("192.0.2.1:9999"), Source: SourceText,
			Game: warzone.Game{Name: long}}, [listCount]int{1, 1, 1}, 4, 9999},
		{"proposal on IPv6", Entry{Key: netip.MustParseAddrPort("[2001:db8::1]:9999"), Source: SourceText,
			Game: warzone.Game{Name: long}}, [listCount]int{1, 0, 0}, 4, 9999},
		{"2.0", Entry{Key: netip.MustParseAddrPort("192.0.2.1:9999"),
			Game: recordOf(warzone.Layout20, long)}, [listCount]int{1, 1, 1}, 4, 9999},
		{"2.2", Entry{Key: netip.MustParseAddrPort("192.0.2.1:2100"),
			Game: warzone.Game{Version: 2, Name: long, Misc: long, Extra: long, ModList: long}}, [listCount]int{1, 0, 0}, 2, 2100},
		{"2.3", Entry{Key: netip.MustParseAddrPort("192.0.2.1:2100"),
			Game: warzone.Game{Version: 3, Layout: warzone.Layout23, Name: long, Extra: strings.Repeat("x", 300)}}, [listCount]int{1, 0, 0}, 3, 2100},
		{"3.1", Entry{Key: netip.MustParseAddrPort("192.0.2.1:2100"),
			Game: warzone.Game{Version: 3, Name: long, Extra: long, MapName: long}}, [listCount]int{1, 0, 0}, 3, 2100},
		{"4.3", Entry{Key: netip.MustParseAddrPort("192.0.2.1:2102"),
			Game: warzone.Game{Version: 4, Name: long, Extra: long, VersionString: long}}, [listCount]int{1, 0, 0}, 4, 2102},
		{"started", Entry{Key: netip.MustParseAddrPort("192.0.2.1:9999"), Started: true,
			Game: recordOf(warzone.Layout20, long)}, [listCount]int{0, 0, 0}, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var g Games
			added := addGame(t, &g, tt.e)
			var got [listCount]int
			for i, l := range []warzone.Layout{warzone.LayoutVersioned, warzone.Layout21, warzone.Layout20} {
				got[i] = g.list(l).count
			}
			if got != tt.lists {
				t.Fatalf("lists %v, want %v", got, tt.lists)
			}
			if tt.lists[warzone.LayoutVersioned] == 0 {
				return
			}
			m, err := warzone.Options{Strict: true}.ParseGame(g.list(warzone.LayoutVersioned).pages[0])
			if err != nil {
				t.Fatal(err)
			}
			id := added.ID
			if tt.version == 2 {
				id = warzone.Filler + 1
			}
			if m.Version != tt.version || m.JoinPort() != tt.port || m.GameID != id || m.Size == 0 ||
				m.Host != tt.e.Key.Addr().String() || m.Name != warzone.Clip(long, 63) {
				t.Errorf("shown as %+v", m)
			}
			if added.Game.Name != long {
				t.Errorf("name %q was cut", added.Game.Name)
			}
		})
	}
}

// Lists never change after they were returned, and new ones agree with a model
// after any change.
func TestGamesListsAgainstAModel(t *testing.T) {
	type taken struct {
		list
		bytes string
	}
	var given []taken
	r := rand.New(rand.NewPCG(1, 2))
	g := Games{MaxListed: 60, MaxPerPrefix: 1000}
	model := map[uint32]string{}
	var ids []uint32
	text := func(l list) string {
		var b strings.Builder
		for _, p := range l.pages {
			b.Write(p)
		}
		return b.String()
	}
	for step := range 3000 {
		switch n := r.IntN(10); {
		case n < 4 && len(ids) < 100:
			e := gameAt(step)
			e.Game = gameOfVersion(uint32(2+r.IntN(3)), e.Game.Name)
			e = addGame(t, &g, e)
			ids = append(ids, e.ID)
			model[e.ID] = e.Game.Name
		case n < 6 && len(ids) > 0:
			id := ids[r.IntN(len(ids))]
			model[id] = fmt.Sprintf("Updated %d", step)
			if _, err := g.Update(id, func(e *Entry) { e.Game.Name = model[id] }); err != nil {
				t.Fatal(err)
			}
		case n < 8 && len(ids) > 0:
			i := r.IntN(len(ids))
			if !g.Remove(ids[i]) {
				t.Fatal("not removed")
			}
			delete(model, ids[i])
			ids = slices.Delete(ids, i, i+1)
		default:
			l := g.list(warzone.LayoutVersioned)
			given = append(given, taken{l, text(l)})
			if want := min(len(model), g.MaxListed); l.count != want || len(text(l)) != want*warzone.GameSize {
				t.Fatalf("step %d: %d games in %d bytes, want %d", step, l.count, len(text(l)), want)
			}
			shown := map[string]int{}
			for b := text(l); b != ""; b = b[warzone.GameSize:] {
				m, err := warzone.ParseGame([]byte(b[:warzone.GameSize]))
				if err != nil {
					t.Fatal(err)
				}
				shown[m.Name]++
			}
			known := 0
			for _, name := range model {
				known += shown[name]
			}
			if known != l.count || len(shown) != l.count {
				t.Fatalf("step %d: %d of %d games are known, %d differ", step, known, l.count, len(shown))
			}
		}
	}
	for i, l := range given {
		if text(l.list) != l.bytes {
			t.Errorf("list %d has changed", i)
		}
	}
	if len(given) < 100 || len(model) == 0 {
		t.Errorf("%d lists, %d games", len(given), len(model))
	}
}
