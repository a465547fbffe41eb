package warzonegames_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

func only(names ...string) []string { return names }

// Lists of 112-byte games do not show it either.
func TestWithheldIsNotInListsOfRecords(t *testing.T) {
	g := new(warzonegames.Games)
	rules := new(gamestest.Banned)
	g.Admit = rules.Admit
	game := gamestest.Record(warzone.Layout21, "Bad")
	gamestest.Add(t, g, warzonegames.Entry{Key: netip.MustParseAddrPort("198.51.100.7:9999"), Game: game})
	for _, names := range [][]string{nil, {"Bad"}, nil} {
		rules.Set(names...)
		g.Review()
		for _, l := range []warzone.Layout{warzone.Layout20, warzone.Layout21, warzone.LayoutVersioned} {
			if got := g.ForLobbies().Records(l).Count; got != 1-len(names) {
				t.Errorf("%v banned: %d games in a list of %v", names, got, l)
			}
		}
	}
}

// warzonegames.Games passes Admit the current entry and uses only its result.
func TestGamesAskAdmit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []string
		g := &warzonegames.Games{Limits: warzonegames.Limits{MaxGames: 2}, Admit: func(e warzonegames.Entry) bool {
			if e.Game.Host != e.Key.Addr().String() || e.Game.GameID != e.ID || !e.Seen.Equal(time.Now()) ||
				e.Opened.IsZero() {
				t.Errorf("asked of %+v", e)
			}
			asked = append(asked, fmt.Sprintf("%s %v", e.Game.Name, e.Withheld))
			return e.Game.Name == "Good"
		}}
		named := func(name string, withheld bool) warzonegames.Entry {
			e := gamestest.At(1)
			e.Game.Name, e.Withheld = name, withheld
			return e
		}
		first := gamestest.Add(t, g, named("Bad", false))
		if !first.Withheld {
			t.Error("not told that it is withheld")
		}
		v, joins := nameRows(g), 0
		v.Join = func([]string) []byte { joins++; return []byte{} }
		v.List()
		g.Review()
		if v.List(); joins != 1 {
			t.Error("changed by the same rules")
		}
		if e, err := g.Update(first.ID,
			func(e *warzonegames.Entry) { e.Game.Name, e.Withheld = "Good", true }); err != nil || e.Withheld {
			t.Errorf("a good name: %+v, %v", e, err)
		}
		if e, err := g.Update(first.ID,
			func(e *warzonegames.Entry) { e.Game.Name, e.Withheld = "Bad", false }); err != nil || !e.Withheld {
			t.Errorf("a bad name: %+v, %v", e, err)
		}
		g.ForLobbies().Touch(first.ID, time.Time{})
		again := gamestest.Add(t, g, named("Good", true)) // in place of it
		gamestest.WantWithheld(t, g, only("Good"), nil)
		if _, err := g.Update(again.ID, func(e *warzonegames.Entry) { e.Game.Version = 9 }); err == nil {
			t.Error("what cannot be written is taken")
		}
		if _, ok := g.FindID(first.ID); ok {
			t.Error("what it replaces is there")
		}
		want := []string{"Bad false", "Bad true", "Good true", "Bad false", "Good true"}
		if !slices.Equal(asked, want) {
			t.Errorf("asked of %q, want %q", asked, want)
		}

		// Withheld games count towards the limits.
		second := gamestest.At(2)
		second.Expires = time.Now().Add(time.Minute)
		gamestest.Add(t, g, second)
		if _, err := g.Add(gamestest.At(3)); !errors.Is(err, warzonegames.ErrFull) {
			t.Errorf("full: %v", err)
		}
		gamestest.WantWithheld(t, g, only("Good"), only("Game 2"))
		time.Sleep(2 * time.Minute)
		gamestest.WantWithheld(t, g, only("Good"), nil)
	})
}

// Each node applies its own rules to all games.
func TestEachNodeAppliesItsOwnRules(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := gamestest.Nodes(t, 2)
		strict, lax := nodes[0], nodes[1]
		rules := new(gamestest.Banned)
		rules.Set("Game 1", "Game 2")
		strict.Admit = rules.Admit
		own := gamestest.Add(t, strict, gamestest.At(1))
		other := gamestest.Add(t, lax, gamestest.At(2))
		b.Flush()
		gamestest.WantWithheld(t, strict, nil, only("Game 1", "Game 2"))
		gamestest.WantWithheld(t, lax, only("Game 1", "Game 2"), nil)
		if told := b.Nodes[0].Puts()[0]; !told.Withheld {
			t.Errorf("told of %+v", told)
		}

		// Admit is called for changes from other nodes.
		time.Sleep(time.Second)
		_, err := lax.Update(other.ID, func(e *warzonegames.Entry) { e.Game.Name = "Game 3" })
		fatalIf(t, err)
		b.Flush()
		gamestest.WantWithheld(t, strict, only("Game 3"), only("Game 1"))
		rules.Set("Game 3")
		strict.Review()
		b.Flush()
		gamestest.WantWithheld(t, strict, only("Game 1"), only("Game 3"))
		gamestest.WantWithheld(t, lax, only("Game 1", "Game 3"), nil)

		// Withheld games expire as others do.
		for range 100 {
			time.Sleep(3 * time.Second)
			b.Flush()
		}
		gamestest.WantWithheld(t, strict, only("Game 1"), only("Game 3"))
		lax.Remove(other.ID)
		rules.Set("Game 1")
		strict.Review()
		b.Flush()
		gamestest.WantWithheld(t, strict, nil, only("Game 1"))
		strict.Remove(own.ID)
		b.Flush()
		gamestest.WantWithheld(t, strict, nil, nil)
		gamestest.WantWithheld(t, lax, nil, nil)
	})
}

// After any changes in any order, the list has exactly the admitted games, also if
// there are more than Review handles in one step.
func TestReviewListsExactlyTheAdmitted(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rules := new(gamestest.Banned)
	g := &warzonegames.Games{Admit: rules.Admit, Limits: warzonegames.Limits{MaxPerPrefix: 1 << 20}, MaxListed: 1 << 20}
	v := nameRows(g)
	model := map[uint32]string{} // names
	anyName := func() string { return fmt.Sprint("n", r.IntN(9)) }
	for step := range 2000 {
		ids := slices.Sorted(maps.Keys(model))
		switch n := r.IntN(6); {
		case n < 4 || len(ids) == 0:
			e := gamestest.At(step)
			e.Game.Name = anyName()
			model[gamestest.Add(t, g, e).ID] = e.Game.Name
		case n == 4:
			id := ids[r.IntN(len(ids))]
			g.Remove(id)
			delete(model, id)
		default:
			id, name := ids[r.IntN(len(ids))], anyName()
			_, err := g.Update(id, func(e *warzonegames.Entry) { e.Game.Name = name })
			fatalIf(t, err)
			model[id] = name
		}
		if step%20 > 0 {
			continue
		}
		isBanned := map[string]bool{}
		for range r.IntN(9) {
			isBanned[anyName()] = true
		}
		rules.Set(slices.Collect(maps.Keys(isBanned))...)
		g.Review()
		var listed, withheld []string
		for _, name := range model {
			if isBanned[name] {
				withheld = append(withheld, name)
			} else {
				listed = append(listed, name)
			}
		}
		slices.Sort(listed)
		slices.Sort(withheld)
		gamestest.WantWithheld(t, g, listed, withheld)
		if rows := allOf(v); !slices.Equal(slices.Sorted(slices.Values(rows)), listed) {
			t.Fatalf("step %d: rows %q, want %q", step, rows, listed)
		}
	}
	const several = 512 // parts of a Review
	if len(model) < several {
		t.Errorf("only %d games", len(model))
	}
}

// Rules may change while games are added and removed and clients list them.
func TestReviewIsSafeForConcurrentUse(t *testing.T) {
	rules := new(gamestest.Banned)
	g := &warzonegames.Games{Admit: rules.Admit}
	v := nameRows(g)
	var hosts sync.WaitGroup
	for i := range 4 {
		hosts.Go(func() {
			for range 100 {
				e, err := g.Add(gamestest.At(i))
				if err != nil {
					t.Error(err)
				}
				if _, err := g.Update(e.ID, func(e *warzonegames.Entry) { e.Game.CurrentPlayers++ }); err != nil {
					t.Error(err)
				}
				g.ForLobbies().Records(warzone.LayoutVersioned)
				v.List()
			}
		})
	}
	for _, name := range slices.Repeat([]string{"Game 1", "Game 2"}, 100) {
		rules.Set(name)
		g.Review()
	}
	hosts.Wait()
	gamestest.WantWithheld(t, g, only("Game 0", "Game 1", "Game 3"), only("Game 2"))
}

// Admit does not make lists or changes allocate.
func TestAdmitAllocatesNothing(t *testing.T) {
	rules := new(gamestest.Banned)
	rules.Set("Game 2")
	var want float64
	for i, admit := range []func(warzonegames.Entry) bool{nil, rules.Admit} {
		g := &warzonegames.Games{Admit: admit}
		id := gamestest.Add(t, g, gamestest.At(1)).ID
		gamestest.Add(t, g, gamestest.At(2))
		g.ForLobbies().Records(warzone.LayoutVersioned)
		if got := testing.AllocsPerRun(100, func() { g.ForLobbies().Records(warzone.LayoutVersioned) }); got != 0 {
			t.Errorf("list: %v allocations", got)
		}
		got := testing.AllocsPerRun(100,
			func() { g.Update(id, func(e *warzonegames.Entry) { e.Game.CurrentPlayers ^= 1 }) })
		if i == 0 {
			want = got
		} else if got != want {
			t.Errorf("change: %v allocations, want %v", got, want)
		}
	}
}
