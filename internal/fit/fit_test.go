package fit_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/fit"
)

func TestFitCutsAtCharacters(t *testing.T) {
	for _, tt := range []struct {
		name string
		rule fit.Rule
		s    string
		want string
	}{
		{"fits", fit.Rule{Max: 4}, "Duel", "Duel"},
		{"one byte too long", fit.Rule{Max: 3}, "Duel", "Due"},
		{"cut at a rune", fit.Rule{Max: 4}, "aéé", "aé"},
		{"cut before the first rune", fit.Rule{Max: 2}, "€", ""},
		{"not UTF-8", fit.Rule{Max: 9}, "x\xffy", "xÿy"},
		{"longer in UTF-8", fit.Rule{Max: 4}, "\xff\xff\xff", "ÿÿ"},
		{"forbidden", fit.Rule{Max: 9, Forbidden: fit.Control + `\`}, "a\x03b\\c\nd", "a?b?c?d"},
		{"allowed", fit.Rule{Max: 9, Forbidden: "\x00"}, "a\x03b\\c", "a\x03b\\c"},
		{"forbidden and too long", fit.Rule{Max: 2, Forbidden: ";"}, "é;é", "é"},
	} {
		if got := tt.rule.Fit(tt.s); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestControlHasAllControlCharacters(t *testing.T) {
	for c := range byte(' ') {
		if strings.IndexByte(fit.Control, c) < 0 {
			t.Errorf("%#x is missing", c)
		}
	}
	if len(fit.Control) != ' ' {
		t.Errorf("%d characters", len(fit.Control))
	}
}

// What fits is not named; what is changed is named as in JSON.
func TestChangedNamesOnlyChanges(t *testing.T) {
	var f fit.Fitter
	name, slot := fit.Field{Name: "name"}, fit.Field{List: "roster", Index: 2, Name: "score"}
	f.Text(name, "Duel", fit.Rule{Max: 9})
	f.Number(slot, new(7), -9, 9)
	f.Number(slot, nil, 1, 9)
	f.Counts(&lobbywire.View{Players: new(9), Max: new(8)}, 9)
	f.Counts(new(lobbywire.View), 9)
	if f.Changed != nil {
		t.Errorf("%q without changes", f.Changed)
	}
	text := f.Text(name, "Duel\x00", fit.Rule{Max: 9, Forbidden: "\x00"})
	high, low := f.Number(slot, new(99), -9, 9), f.Number(slot, new(-99), -9, 9)
	players, places := f.Counts(&lobbywire.View{Players: new(-1), Max: new(10)}, 9)
	if text != "Duel?" || high != 9 || low != -9 || players != 0 || places != 9 {
		t.Errorf("%q, %d, %d, %d of %d", text, high, low, players, places)
	}
	want := []string{"name", "roster[2].score", "roster[2].score", "players", "max"}
	if diff := cmp.Diff(want, f.Changed); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Lists are shortened in order, and keep as much as fits.
func TestShortenKeepsWhatFits(t *testing.T) {
	for _, tt := range []struct {
		room, a, b   int
		wantA, wantB int
		changed      []string
		fits         bool
	}{
		{room: 9, a: 5, b: 4, wantA: 5, wantB: 4, fits: true},
		{room: 8, a: 5, b: 4, wantA: 4, wantB: 4, changed: []string{"a"}, fits: true},
		{room: 4, a: 5, b: 4, wantA: 0, wantB: 4, changed: []string{"a"}, fits: true},
		{room: 4, a: 1, b: 9, wantA: 1, wantB: 3, changed: []string{"b"}, fits: true},
		{room: 3, a: 5, b: 4, wantA: 0, wantB: 3, changed: []string{"a", "b"}, fits: true},
		{room: 3, a: 0, b: 4, wantA: 0, wantB: 3, changed: []string{"b"}, fits: true},
		{room: 0, a: 5, b: 4, wantA: 0, wantB: 0, changed: []string{"a", "b"}, fits: true},
		{room: -1, a: 5, b: 4, wantA: 0, wantB: 0, changed: []string{"a", "b"}},
	} {
		var f fit.Fitter
		a, b, last := tt.a, tt.b, false
		ok := f.Shorten(
			func() bool {
				last = a+b <= tt.room
				return last
			},
			fit.List{Name: "a", Len: tt.a, Cut: func(n int) { a = n }},
			fit.List{Name: "b", Len: tt.b, Cut: func(n int) { b = n }},
		)
		if a != tt.wantA || b != tt.wantB || ok != tt.fits || last != ok || !slices.Equal(f.Changed, tt.changed) {
			t.Errorf("%+v: %d and %d, fits %v (at last %v), changed %q", tt, a, b, ok, last, f.Changed)
		}
	}
}
