package warzonenet

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/fit"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

// Every game for a View can be announced, at lobbies of all versions.
func TestSetViewNeverFails(t *testing.T) {
	h := Host{HTTP: new(wzhttpnet.Host)}
	for _, text := range []string{
		"", "Duel", "x\xffy", "a\x00b", "a\nb\"\\", strings.Repeat("é", 1000), strings.Repeat("\xff", 1000), "\u2028",
	} {
		for _, n := range []*int{nil, new(0), new(-1), new(41), new(math.MaxInt)} {
			for _, port := range []uint16{0, 1, math.MaxUint16} {
				v := lobbywire.View{Name: text, Map: text, Version: text, Players: n, Max: n, Port: port,
					Password: new(true), Mods: slices.Repeat([]string{text, "m"}, 65), Spectators: n}
				if err := h.Set(gameOf(&v, new(fit.Fitter))); err != nil {
					t.Errorf("%.50q, port %d: %v", text, port, err)
				}
			}
		}
	}
}
