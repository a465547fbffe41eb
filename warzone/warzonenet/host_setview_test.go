package warzonenet

import (
	"slices"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/fit"
)

// There are at least as many slots as spectators.
func TestSetViewHasSlotsForSpectators(t *testing.T) {
	for _, tt := range []struct {
		joined, slots *int
		want          [2]uint16
		changed       []string
	}{
		{nil, nil, [2]uint16{}, nil},
		{new(2), nil, [2]uint16{2, 2}, nil},
		{new(2), new(10), [2]uint16{2, 10}, nil},
		{new(0), new(10), [2]uint16{0, 10}, nil},
		{nil, new(10), [2]uint16{0, 10}, nil},
		{new(3), new(2), [2]uint16{3, 3}, nil},
		{new(-1), new(1 << 16), [2]uint16{0, 65535}, []string{"spectators", "maxSpectators"}},
	} {
		var f fit.Fitter
		game := gameOf(&lobbywire.View{Spectators: tt.joined, MaxSpectators: tt.slots}, &f)
		joined, slots := game.Spectators()
		if got := [2]uint16{joined, slots}; got != tt.want || !slices.Equal(f.Changed, tt.changed) {
			t.Errorf("%v, changed %q, want %v and %q", got, f.Changed, tt.want, tt.changed)
		}
	}
}
