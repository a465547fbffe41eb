package warzonegames_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/warzone/internal/gamelist"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// allOf returns the rows of a view.
func allOf[R any](v *gamelist.Rows[warzonegames.Entry, R]) (rows []R) {
	v.Read(func(all []R) { rows = slices.Clone(all) })
	return rows
}

// nameRows returns a view of names.
func nameRows(g *warzonegames.Games) *gamelist.Rows[warzonegames.Entry, string] {
	return &gamelist.Rows[warzonegames.Entry, string]{
		Games: g.ForLobbies(),
		Row:   func(e *warzonegames.Entry) (string, bool) { return e.Game.Name, !e.Started },
		Join:  func(rows []string) []byte { return []byte(strings.Join(rows, " ")) },
	}
}

func TestRowsFollowChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := new(warzonegames.Games)
		v := nameRows(g)
		add := func(i int, name string) uint32 {
			e, err := g.Add(warzonegames.Entry{Key: gamestest.Key(i), Source: warzonegames.SourceText,
				Game: gamestest.Named(name), Expires: time.Now().Add(time.Minute)})
			fatalIf(t, err)
			time.Sleep(time.Second)
			return e.ID
		}
		want := func(list string) {
			t.Helper()
			if got := string(v.List()); got != list {
				t.Errorf("listed %q, want %q", got, list)
			}
		}
		ids := []uint32{add(0, "a"), add(1, "b"), add(2, "c"), add(3, "d")}
		want("a b c d") // those from before it watched, the oldest first
		given := v.List()
		g.Remove(ids[1])
		want("a d c")
		_, err := g.Update(ids[3], func(e *warzonegames.Entry) { e.Game.Name = "D" })
		fatalIf(t, err)
		want("a D c")
		_, err = g.Update(ids[0], func(e *warzonegames.Entry) { e.Started = true })
		fatalIf(t, err)
		want("c D")
		_, err = g.Update(ids[0], func(e *warzonegames.Entry) { e.Started = false })
		fatalIf(t, err)
		add(2, "C") // another game in place of that
		want("C D a")
		if string(given) != "a b c d" {
			t.Errorf("what was given has become %q", given)
		}
		if all := allOf(v); !slices.Equal(all, []string{"C", "D", "a"}) {
			t.Errorf("all are %q", all)
		}
		time.Sleep(58500 * time.Millisecond)
		want("C") // the time of the others is up
		v.Close()
		add(5, "e")
		v.Row = func(*warzonegames.Entry) (string, bool) {
			t.Error("it still receives changes")
			return "", false
		}
		add(6, "f")
	})
}

// An unchanged list is not assembled again.
func TestViewMakesListsOnce(t *testing.T) {
	g := new(warzonegames.Games)
	v := nameRows(g)
	joins := 0
	v.Join = func([]string) []byte { joins++; return []byte{} }
	e, err := g.Add(warzonegames.Entry{Key: gamestest.Key(0), Source: warzonegames.SourceText,
		Game: gamestest.Named("a")})
	fatalIf(t, err)
	for range 10 {
		v.List()
		g.ForLobbies().Touch(e.ID, time.Time{})
	}
	if joins != 1 {
		t.Errorf("made %d times", joins)
	}
}

// A view agrees with warzonegames.Games after any change.
func TestViewHasTheGames(t *testing.T) {
	g := &warzonegames.Games{Limits: warzonegames.Limits{MaxGames: 50}}
	v := nameRows(g)
	random := rand.New(rand.NewPCG(3, 4))
	for i := range 5000 {
		key := gamestest.Key(random.IntN(80))
		e, found := g.ForLobbies().Find(key)
		switch random.IntN(4) {
		case 0, 1:
			// may be full
			g.Add(warzonegames.Entry{Key: key, Source: warzonegames.SourceText, Game: gamestest.Named(key.String())})
		case 2:
			if found {
				g.Remove(e.ID)
			}
		case 3:
			if found {
				_, err := g.Update(e.ID, func(e *warzonegames.Entry) { e.Started = !e.Started })
				fatalIf(t, err)
			}
		}
		if i%10 > 0 {
			continue
		}
		var want []string
		for e := range g.All() {
			if !e.Started {
				want = append(want, e.Game.Name)
			}
		}
		got := allOf(v)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("after %d changes: %q, want %q", i, got, want)
		}
	}
}
