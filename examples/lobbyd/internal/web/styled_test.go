package web_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/examples/internal/browsertest"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// The API contains names without colour codes, and their colours separately.
func TestNamesHaveNoColourCodes(t *testing.T) {
	s := show(t, nil)
	for _, tt := range []struct {
		family       catalogue.Family
		source, game string
		name, want   string
		colours      [][2]string
	}{
		{catalogue.GameAgent, "gameagent", "", "^cFF0000Red^r^i Sam", "Red Sam",
			[][2]string{{"Red", "#ff0000"}, {" Sam", ""}}},
		{catalogue.GameAgent, "legacy", "serioussamse", "^b^c00FF00Go", "Go", [][2]string{{"Go", "#00ff00"}}},
		{catalogue.GameAgent, "legacy", "quake3", "^1Arena^7!", "Arena!", [][2]string{{"Arena", "#ff0000"}, {"!", ""}}},
		{catalogue.Warzone, "lobby", "warzone2100", "^1Arena", "^1Arena", nil},
		{catalogue.GameAgent, "gameagent", "", "^cff0000a\u202e<b>", "a⟨202E⟩<b>",
			[][2]string{{"a⟨202E⟩<b>", "#ff0000"}}},
		{catalogue.GameAgent, "gameagent", "", "^iplain", "plain", nil},
		{catalogue.GameAgent, "gameagent", "", strings.Repeat("^cff0000a^c00ff00b", 33), strings.Repeat("ab", 33), nil},
		{catalogue.GameAgent, "gameagent", "", "^cff0000" + strings.Repeat("a", 300), strings.Repeat("a", 253) + "…", nil},
		{catalogue.GameAgent, "gameagent", "", "e\u0301\u0301^cff0000\u0301\u0301", "e\u0301\u0301\u0301⟨301⟩", nil},
	} {
		e := game(tt.family, 1, tt.name, 1)
		e.Source, e.Game, e.Map = tt.source, tt.game, tt.name
		s.set(e)
		var got struct {
			Name, Map string
			Colours   [][2]string
		}
		s.get(t, "/api/servers/"+e.ID, &got)
		if got.Name != tt.want || got.Map != tt.want {
			t.Errorf("%q: name %q, map %q, want %q", tt.name, got.Name, got.Map, tt.want)
		}
		if diff := cmp.Diff(tt.colours, got.Colours); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.name, diff)
		}
	}
}

// Each colour of a name is readable in both themes.
func TestColoursAreReadable(t *testing.T) {
	b := browse(t)
	s := show(t, nil)
	name := ""
	for _, c := range []string{"000000", "ffffff", "ffff00", "0000ff", "808080", "00ff00", "ff0000", "151a21", "f8f9fb"} {
		name += "^c" + c + "x"
	}
	e := game(catalogue.GameAgent, 1, name, 1)
	s.set(e)
	for _, path := range []string{"/", "/server/" + e.ID} {
		for _, scheme := range []string{"light", "dark"} {
			b.Scheme(scheme)
			b.open(s.URL + path)
			const colours = `[...document.querySelectorAll("tbody .c-name a span, h1 span")]
				.map((e) => getComputedStyle(e).color)`
			b.Until(colours + ".length === 8")
			for _, colour := range browsertest.Eval[[]string](b.Tab, colours) {
				var red, green, blue float64
				if _, err := fmt.Sscanf(colour, "rgb(%f, %f, %f)", &red, &green, &blue); err != nil {
					t.Fatalf("%q: %v", colour, err)
				}
				background := [3]float64{0xf8, 0xf9, 0xfb}
				if scheme == "dark" {
					background = [3]float64{0x1a, 0x20, 0x29}
				}
				if got := contrast([3]float64{red, green, blue}, background); got < 4.5 {
					t.Errorf("%s, %s: %s has a contrast of %.1f", path, scheme, colour, got)
				}
			}
		}
	}
	b.Clean()
}
