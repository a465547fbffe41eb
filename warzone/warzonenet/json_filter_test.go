package warzonenet

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

// A filter of any elements passes the games that the codec matches, also while games
// change.
func TestJSONFilterPassesWhatMatches(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var l JSONLobby
	l.Games = new(warzonegames.Games)
	l.server.Once.Do(l.init)
	word := func() string { return fmt.Sprint("w", r.IntN(3)) }
	for step := range 300 {
		e := gamestest.At(r.IntN(40))
		e.Game.Name, e.Game.MapName, e.Tech, e.Game.MaxPlayers = word(), word(), word(), uint32(r.IntN(3))
		e.Source = warzonegames.SourceJSON
		gamestest.Add(t, l.Games, e)
		if step%7 == 0 {
			if e, ok := l.Games.Find(gamestest.At(r.IntN(40)).Key); ok {
				l.Games.Remove(e.ID)
			}
		}
		m := wzjson.List{Filter: make([]wzjson.Fields, 1+r.IntN(maxFilter))}
		for i := range m.Filter {
			f := &m.Filter[i]
			name, mapName, tech, players := word(), word(), wzjson.Tech(word()), r.IntN(3)
			for _, set := range []func(){
				func() { f.Name = &name }, func() { f.Map = &mapName }, func() { f.Tech = &tech }, func() { f.MaxPlayers = &players },
			} {
				if r.IntN(3) > 0 {
					set()
				}
			}
			if r.IntN(9) == 0 {
				f.Extra = map[string]json.RawMessage{"mods": json.RawMessage("1")}
			}
		}
		want := []wzjson.Game{}
		for _, g := range listedBy(t, &l, nil) {
			if m.Match(g) {
				want = append(want, g)
			}
		}
		if diff := cmp.Diff(want, listedBy(t, &l, m.Filter), cmp.Comparer(func(a, b wzjson.Game) bool {
			return a.Host == b.Host && a.Name == b.Name && a.Map == b.Map && a.Tech == b.Tech && a.MaxPlayers == b.MaxPlayers
		})); diff != "" {
			t.Fatalf("step %d, %+v (-want +got):\n%s", step, m.Filter, diff)
		}
	}
}

// listedBy returns the games of a list with a filter.
func listedBy(t testing.TB, l *JSONLobby, filter []wzjson.Fields) []wzjson.Game {
	b, err := l.filtered(filter)
	if len(filter) == 0 {
		b, err = l.rows.List(), nil
	}
	fatalIf(t, err)
	m, err := wzjson.ParseListAck(b)
	fatalIf(t, err)
	return m.Games
}

// A filter that no game passes allocates the same amount with many games as with few:
// neither rows nor games are copied.
func TestJSONFilterCopiesNoRows(t *testing.T) {
	other := "Other"
	filter := []wzjson.Fields{{Map: &other}}
	for _, games := range []int{1, 5000} {
		var l JSONLobby
		l.Games = new(warzonegames.Games)
		l.server.Once.Do(l.init)
		for i := range games {
			e := gamestest.At(i)
			e.Key = gamestest.Key(256 * i)
			gamestest.Add(t, l.Games, e)
		}
		l.rows.List()
		const runs = 100
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range runs {
			_, err := l.filtered(filter)
			fatalIf(t, err)
		}
		runtime.ReadMemStats(&after)
		allocated := (after.TotalAlloc - before.TotalAlloc) / runs
		if allocated > 2<<10 {
			t.Errorf("%d games: %d bytes", games, allocated)
		}
	}
}

// The rate of filtered lists is limited for each source, over all its connections. Other
// lists and other sources are not affected.
func TestJSONLobbyLimitsFilters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, c := newJSONNet(t, "198.51.100.7")
		lobby := jsonAddr.String()
		_, err := c.Add(t.Context(), lobby, wzjson.Add{Name: "A game"})
		fatalIf(t, err)
		t1 := wzjson.TechT1
		served := func(c *JSONClient) bool {
			t.Helper()
			_, err := c.List(t.Context(), lobby, wzjson.Fields{Tech: &t1})
			if refused := (*LobbyError)(nil); err != nil && !errors.As(err, &refused) {
				t.Fatal(err)
			}
			return err == nil
		}
		got := 0
		began := time.Now()
		for time.Since(began) < 10*time.Second {
			for range 20 {
				if served(c) {
					got++
				}
			}
			time.Sleep(time.Second)
		}
		if got < 16+4*8 || got > 16+4*11 {
			t.Errorf("%d lists with a filter in 10 seconds", got)
		}
		for served(c) {
		}
		if l, err := c.List(t.Context(), lobby); err != nil || len(l.Games) != 1 {
			t.Errorf("without a filter: %+v, %v", l, err)
		}
		if !served(&JSONClient{Dial: n.from("203.0.113.9"), ListEvery: -1}) {
			t.Error("another source is refused")
		}
		time.Sleep(time.Second)
		if !served(c) {
			t.Error("refused after a second")
		}
	})
}
