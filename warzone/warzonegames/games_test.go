package warzonegames_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamelist"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

func fatalIf(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestGamesAreAddedUpdatedAndRemoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g warzonegames.Games
		start := time.Now()
		added := gamestest.Add(t, &g, warzonegames.Entry{
			Key:    netip.MustParseAddrPort("[::ffff:192.0.2.1]:2101"),
			Source: warzonegames.SourceJSON, Tech: "T2",
			Game: warzone.Game{Name: "One", MaxPlayers: 4},
		})
		key := netip.MustParseAddrPort("192.0.2.1:2101")
		want := warzonegames.Entry{
			Key: key, ID: added.ID, Source: warzonegames.SourceJSON, Tech: "T2", Opened: start, Seen: start,
			Game: warzone.Game{Name: "One", MaxPlayers: 4, Host: "192.0.2.1", GameID: added.ID},
		}
		comparable := cmp.Comparer(func(a, b netip.AddrPort) bool { return a == b })
		if diff := cmp.Diff(want, added, comparable); diff != "" || added.ID == 0 {
			t.Errorf("added %s", diff)
		}

		time.Sleep(time.Minute)
		if !g.ForLobbies().Touch(added.ID, time.Time{}) {
			t.Error("not there")
		}
		want.Seen = time.Now()
		if e, ok := g.ForLobbies().Find(key); !ok || !reflect.DeepEqual(e, want) {
			t.Errorf("found %+v, %v", e, ok)
		}

		updated, err := g.Update(added.ID, func(e *warzonegames.Entry) {
			e.Game.Name = "Two"
			e.ID, e.Key, e.Source = 7, netip.AddrPort{}, warzonegames.SourceText
		})
		want.Game.Name = "Two"
		if err != nil || !reflect.DeepEqual(updated, want) {
			t.Errorf("updated %+v, %v", updated, err)
		}
		if e, ok := g.FindID(added.ID); !ok || !reflect.DeepEqual(e, want) {
			t.Errorf("found %+v, %v", e, ok)
		}

		if !g.Remove(added.ID) || g.Remove(added.ID) || g.Stats().Listed != 0 {
			t.Error("not removed once")
		}
		if _, err := g.Update(added.ID,
			func(*warzonegames.Entry) { t.Error("changed what is gone") }); err != warzonegames.ErrGone {
			t.Error(err)
		}
		if g.ForLobbies().Touch(added.ID, time.Time{}) {
			t.Error("touched what is gone")
		}
	})
}

func TestGamesRefuseBeyondTheirLimits(t *testing.T) {
	at := func(addr string, source warzonegames.Source) warzonegames.Entry {
		return warzonegames.Entry{Key: netip.MustParseAddrPort(addr), Source: source, Game: warzone.Game{Name: "Game"}}
	}
	g := warzonegames.Games{Limits: warzonegames.Limits{MaxGames: 4, MaxPerAddress: 2, MaxPerPrefix: 3}}
	first := gamestest.Add(t, &g, at("192.0.2.1:2100", warzonegames.SourceText))
	gamestest.Add(t, &g, at("192.0.2.1:2101", warzonegames.SourceJSON))
	bad := at("192.0.2.1:2100", warzonegames.SourceText)
	bad.Game.Version = 9
	sameID := at("192.0.2.2:2100", warzonegames.SourceText)
	sameID.ID = first.ID
	full := func(of lobbywire.Reason, limit int, name, text string) error {
		return refusal.Full(of, limit, fmt.Errorf("%w: %s is %d", warzonegames.ErrFull, name, limit), text)
	}
	for _, tt := range []struct {
		name string
		e    warzonegames.Entry
		want error // or an error with its texts
	}{
		{"no address", warzonegames.Entry{}, warzonegames.ErrAddress},
		{"port 0", at("192.0.2.9:0", warzonegames.SourceText), warzonegames.ErrAddress},
		{"unspecified", at("0.0.0.0:2100", warzonegames.SourceText), warzonegames.ErrAddress},
		{"multicast", at("[ff02::1]:2100", warzonegames.SourceText), warzonegames.ErrAddress},
		{"other source", at("192.0.2.1:2101", warzonegames.SourceText), warzonegames.ErrTaken},
		{"other source", at("192.0.2.1:2100", warzonegames.SourceBinary), warzonegames.ErrTaken},
		{"id of another", sameID, warzonegames.ErrTaken},
		{"version", bad, lobbywire.ErrUnsupported},
		{"address full", at("192.0.2.1:2102", warzonegames.SourceText),
			full(lobbywire.ReasonFullAddress, 2, "MaxPerAddress",
				"There are too many games from your address: 2 are allowed.")},
		{"same again", at("192.0.2.1:2100", warzonegames.SourceText), nil},
		{"the game's own protocol", at("192.0.2.1:2101", warzonegames.SourceLobby), nil},
		{"other address", at("192.0.2.2:2100", warzonegames.SourceText), nil},
		{"prefix full", at("192.0.2.3:2100", warzonegames.SourceText),
			full(lobbywire.ReasonFullPrefix, 3, "MaxPerPrefix",
				"There are too many games from your network: 3 are allowed.")},
		{"other prefix", at("198.51.100.1:2100", warzonegames.SourceText), nil},
		{"full", at("203.0.113.1:2100", warzonegames.SourceText),
			full(lobbywire.ReasonFull, 4, "MaxGames",
				"There are too many games in this lobby: 4 are allowed.")},
	} {
		before := g.Stats().Listed
		_, err := g.Add(tt.e)
		if full := (*refusal.Error)(nil); errors.As(tt.want, &full) && errors.Is(full, warzonegames.ErrFull) {
			if !errors.Is(err, warzonegames.ErrFull) || err.Error() != full.Error() ||
				refusal.Text(err) != refusal.Text(full) ||
				refusal.Of(tt.e.Key, err) != refusal.Of(tt.e.Key, full) {
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
func TestRefusedUpdateChangesNothing(t *testing.T) {
	var g warzonegames.Games
	e := gamestest.Add(t, &g, gamestest.At(1))
	before := g.ForLobbies().Records(warzone.LayoutVersioned)
	if _, err := g.Update(e.ID, func(e *warzonegames.Entry) { e.Game.Version = 5 }); !errors.Is(err,
		lobbywire.ErrUnsupported) {
		t.Error(err)
	}
	if found, _ := g.FindID(e.ID); !reflect.DeepEqual(found, e) {
		t.Errorf("changed to %+v", found)
	}
	if after := g.ForLobbies().Records(warzone.LayoutVersioned); !cmp.Equal(before.Pages, after.Pages) {
		t.Error("the list has changed")
	}
}

func TestGamesExpireOnlyWithADeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g warzonegames.Games
		for i, life := range []time.Duration{time.Minute, 2 * time.Minute, 0} {
			e := gamestest.At(i)
			if life > 0 {
				e.Expires = time.Now().Add(life)
			}
			gamestest.Add(t, &g, e)
		}
		longer := gamestest.Add(t, &g, gamestest.At(3))
		g.ForLobbies().Touch(longer.ID, time.Now().Add(time.Minute))
		time.Sleep(59 * time.Second)
		g.ForLobbies().Touch(longer.ID, time.Now().Add(time.Hour))
		time.Sleep(2 * time.Second)
		if names := gamestest.Names(&g); !slices.Equal(names, []string{"Game 1", "Game 2", "Game 3"}) {
			t.Errorf("after a minute: %q", names)
		}
		time.Sleep(time.Minute)
		if names := gamestest.Names(&g); !slices.Equal(names, []string{"Game 2", "Game 3"}) {
			t.Errorf("after two minutes: %q", names)
		}
		time.Sleep(20 * 365 * 24 * time.Hour)
		if l := g.ForLobbies().Records(warzone.LayoutVersioned); l.Count != 1 || g.Stats().Listed != 1 {
			t.Errorf("after twenty years: %d games", l.Count)
		}
	})
}

// Lists omit games that their protocol cannot carry.
func TestGamesShowInEachLayout(t *testing.T) {
	long := strings.Repeat("ü", 100)
	for _, tt := range []struct {
		name    string
		e       warzonegames.Entry
		lists   [3]int // how many games: 814 bytes, 2.1, 2.0
		version uint32 // of the 814 bytes
		port    uint16
	}{
		{"proposal", warzonegames.Entry{Key: netip.MustParseAddrPort("192.0.2.1:4000"), Source: warzonegames.SourceText,
			Game: warzone.Game{Name: long, MapName: long, MaxPlayers: 4}}, [3]int{1, 0, 0}, 4, 4000},
		{"proposal at the port of 2.1",
			warzonegames.Entry{Key: netip.MustParseAddrPort("192.0.2.1:9999"), Source: warzonegames.SourceText,
				Game: warzone.Game{Name: long}}, [3]int{1, 1, 1}, 4, 9999},
		{"proposal on IPv6",
			warzonegames.Entry{Key: netip.MustParseAddrPort("[2001:db8::1]:9999"), Source: warzonegames.SourceText,
				Game: warzone.Game{Name: long}}, [3]int{1, 0, 0}, 4, 9999},
		{"2.0", warzonegames.Entry{Key: netip.MustParseAddrPort("192.0.2.1:9999"),
			Game: gamestest.Record(warzone.Layout20, long)}, [3]int{1, 1, 1}, 4, 9999},
		{"2.2", warzonegames.Entry{Key: netip.MustParseAddrPort("192.0.2.1:2100"),
			Game: warzone.Game{Version: 2, Name: long, Misc: long, Extra: long, ModList: long}}, [3]int{1, 0,
			0}, 2, 2100},
		{"2.3", warzonegames.Entry{Key: netip.MustParseAddrPort("192.0.2.1:2100"),
			Game: warzone.Game{Version: 3, Layout: warzone.Layout23, Name: long,
				Extra: strings.Repeat("x", 300)}}, [3]int{1, 0, 0}, 3, 2100},
		{"3.1", warzonegames.Entry{Key: netip.MustParseAddrPort("192.0.2.1:2100"),
			Game: warzone.Game{Version: 3, Name: long, Extra: long, MapName: long}}, [3]int{1, 0, 0}, 3, 2100},
		{"4.3", warzonegames.Entry{Key: netip.MustParseAddrPort("192.0.2.1:2102"),
			Game: warzone.Game{Version: 4, Name: long, Extra: long, VersionString: long}}, [3]int{1, 0, 0}, 4, 2102},
		{"started", warzonegames.Entry{Key: netip.MustParseAddrPort("192.0.2.1:9999"), Started: true,
			Game: gamestest.Record(warzone.Layout20, long)}, [3]int{0, 0, 0}, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var g warzonegames.Games
			added := gamestest.Add(t, &g, tt.e)
			var got [3]int
			for i, l := range []warzone.Layout{warzone.LayoutVersioned, warzone.Layout21, warzone.Layout20} {
				got[i] = g.ForLobbies().Records(l).Count
			}
			if got != tt.lists {
				t.Fatalf("lists %v, want %v", got, tt.lists)
			}
			if tt.lists[warzone.LayoutVersioned] == 0 {
				return
			}
			m, err := warzone.Options{Strict: true}.ParseGame(g.ForLobbies().Records(warzone.LayoutVersioned).Pages[0])
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
func TestListsAgreeWithAModel(t *testing.T) {
	type taken struct {
		gamelist.Records
		bytes string
	}
	var given []taken
	r := rand.New(rand.NewPCG(1, 2))
	g := warzonegames.Games{MaxListed: 60, Limits: warzonegames.Limits{MaxPerPrefix: 1000}}
	model := map[uint32]string{}
	var ids []uint32
	text := func(l gamelist.Records) string {
		var b strings.Builder
		for _, p := range l.Pages {
			b.Write(p)
		}
		return b.String()
	}
	for step := range 3000 {
		switch n := r.IntN(10); {
		case n < 4 && len(ids) < 100:
			e := gamestest.At(step)
			e.Game = gamestest.OfVersion(uint32(2+r.IntN(3)), e.Game.Name)
			e = gamestest.Add(t, &g, e)
			ids = append(ids, e.ID)
			model[e.ID] = e.Game.Name
		case n < 6 && len(ids) > 0:
			id := ids[r.IntN(len(ids))]
			model[id] = fmt.Sprintf("Updated %d", step)
			if _, err := g.Update(id, func(e *warzonegames.Entry) { e.Game.Name = model[id] }); err != nil {
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
			l := g.ForLobbies().Records(warzone.LayoutVersioned)
			given = append(given, taken{l, text(l)})
			if cut := g.Stats().Cut; cut != (len(model) > g.MaxListed) {
				t.Errorf("cut %v of %d games", cut, len(model))
			}
			if want := min(len(model), g.MaxListed); l.Count != want || len(text(l)) != want*warzone.GameSize {
				t.Fatalf("step %d: %d games in %d bytes, want %d", step, l.Count, len(text(l)), want)
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
			if known != l.Count || len(shown) != l.Count {
				t.Fatalf("step %d: %d of %d games are known, %d differ", step, known, l.Count, len(shown))
			}
		}
	}
	for i, l := range given {
		if text(l.Records) != l.bytes {
			t.Errorf("list %d has changed", i)
		}
	}
	if len(given) < 100 || len(model) == 0 {
		t.Errorf("%d lists, %d games", len(given), len(model))
	}
}
