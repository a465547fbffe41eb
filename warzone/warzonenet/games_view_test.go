package warzonenet

import (
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// joinable4 returns the address of game i.
func joinable4(i int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), 2100)
}

// allOf returns the rows of a view.
func allOf[R any](v *view[R]) (rows []R) {
	v.read(func(all []R) { rows = slices.Clone(all) })
	return rows
}

// newNameView returns a view of names.
func newNameView(g *Games) *view[string] {
	return &view[string]{
		games: g,
		row:   func(e *Entry) (string, bool) { return e.Game.Name, !e.Started },
		join:  func(rows []string) []byte { return []byte(strings.Join(rows, " ")) },
	}
}

func TestView(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := new(Games)
		v := newNameView(g)
		add := func(i int, name string) uint32 {
			e, err := g.Add(Entry{Key: joinable4(i), Source: SourceText, Game: gameOf(name), Expires: time.Now().Add(time.Minute)})
			fatalIf(t, err)
			time.Sleep(time.Second)
			return e.ID
		}
		want := func(list string) {
			t.Helper()
			if got := string(v.encoded()); got != list {
				t.Errorf("listed %q, want %q", got, list)
			}
		}
		ids := []uint32{add(0, "a"), add(1, "b"), add(2, "c"), add(3, "d")}
		want("a b c d") // those from before it watched, the oldest first
		given := v.encoded()
		g.Remove(ids[1])
		want("a d c")
		_, err := g.Update(ids[3], func(e *Entry) { e.Game.Name = "D" })
		fatalIf(t, err)
		want("a D c")
		_, err = g.Update(ids[0], func(e *Entry) { e.Started = true })
		fatalIf(t, err)
		want("c D")
		_, err = g.Update(ids[0], func(e *Entry) { e.Started = false })
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
		v.close()
		if len(g.viewers) != 0 {
			t.Error("it is still told")
		}
	})
}

// An unchanged list is not assembled again.
func TestViewMakesListsOnce(t *testing.T) {
	g := new(Games)
	v := newNameView(g)
	joins := 0
	v.join = func([]string) []byte { joins++; return []byte{} }
	e, err := g.Add(Entry{Key: joinable4(0), Source: SourceText, Game: gameOf("a")})
	fatalIf(t, err)
	for range 10 {
		v.encoded()
		g.Touch(e.ID, time.Time{})
	}
	if joins != 1 {
		t.Errorf("made %d times", joins)
	}
}

// A view agrees with Games after any change.
func TestViewHasTheGames(t *testing.T) {
	g := &Games{MaxGames: 50}
	v := newNameView(g)
	random := rand.New(rand.NewPCG(3, 4))
	for i := range 5000 {
		key := joinable4(random.IntN(80))
		e, found := g.Find(key)
		switch random.IntN(4) {
		case 0, 1:
			g.Add(Entry{Key: key, Source: SourceText, Game: gameOf(key.String())}) // may be full
		case 2:
			if found {
				g.Remove(e.ID)
			}
		case 3:
			if found {
				_, err := g.Update(e.ID, func(e *Entry) { e.Started = !e.Started })
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
