package gamestest

import (
	"reflect"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// Banned are the names that Admit refuses.
type Banned struct{ names atomic.Pointer[[]string] }

// Set replaces the names.
func (b *Banned) Set(names ...string) { b.names.Store(&names) }

// Admit is Games.Admit.
func (b *Banned) Admit(e warzonegames.Entry) bool {
	names := b.names.Load()
	return names == nil || !slices.Contains(*names, e.Game.Name)
}

// WantWithheld checks the names of listed and withheld games in every list. All
// games must be of version 4 and not have started.
func WantWithheld(t *testing.T, g *warzonegames.Games, listed, withheld []string) {
	t.Helper()
	var all [2][]string // listed, withheld
	for e := range g.All() {
		at := 0
		if e.Withheld {
			at = 1
		}
		all[at] = append(all[at], e.Game.Name)
		byKey, _ := g.ForLobbies().Find(e.Key)
		if byID, _ := g.FindID(e.ID); !reflect.DeepEqual(byKey, e) || !reflect.DeepEqual(byID, e) {
			t.Errorf("%+v, found by key %+v, by ID %+v", e, byKey, byID)
		}
	}
	for i, want := range [][]string{listed, withheld} {
		slices.Sort(all[i])
		if !slices.Equal(all[i], want) {
			t.Errorf("withheld %v: %q, want %q", i == 1, all[i], want)
		}
	}
	var shown []string
	for _, page := range g.ForLobbies().Records(warzone.LayoutVersioned).Pages {
		for record := range slices.Chunk(page, warzone.GameSize) {
			game, err := warzone.ParseGame(record)
			if err != nil {
				t.Fatal(err)
			}
			shown = append(shown, game.Name)
		}
	}
	slices.Sort(shown)
	if !slices.Equal(shown, listed) {
		t.Errorf("list %q, want %q", shown, listed)
	}
	if st := g.Stats(); st.Listed != len(listed) || st.Withheld != len(withheld) {
		t.Errorf("stats %+v, want %d and %d", st, len(listed), len(withheld))
	}
}
