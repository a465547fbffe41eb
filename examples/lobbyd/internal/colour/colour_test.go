package colour_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/colour"
)

func TestOfSeparatesColours(t *testing.T) {
	type runs = []colour.Run
	for _, tt := range []struct {
		codes colour.Codes
		text  string
		want  runs
	}{
		{colour.None, "^1red §2green", runs{{"^1red §2green", ""}}},
		{colour.SeriousSam, "", runs{{"", ""}}},
		{colour.SeriousSam, "plain", runs{{"plain", ""}}},
		{colour.SeriousSam, "^cFF8000Sam^r's ^b^istage", runs{{"Sam", "#ff8000"}, {"'s stage", ""}}},
		{colour.SeriousSam, "^a80^f3^C^A^F^B^I^ox^^y^1^", runs{{"x^y^1^", ""}}},
		{colour.SeriousSam, "a^cff00", runs{{"a", ""}}},
		{colour.SeriousSam, "a^czzzzzzb", runs{{"ab", ""}}},
		{colour.SeriousSam, "^cffffffwhite", runs{{"white", ""}}},
		{colour.Quake, "^1red^7 ^xplain^", runs{{"red", "#ff0000"}, {" ^xplain^", ""}}},
		{colour.Quake, "^9red^2green", runs{{"red", "#ff0000"}, {"green", "#00ff00"}}},
		{colour.Quake, "§6§lGold§r §kand §Ared§", runs{{"Gold", "#ffaa00"}, {" and ", ""}, {"red§", "#55ff55"}}},
		{colour.Quake, "ç4 \xa74", runs{{"ç4 \xa74", ""}}},
		{colour.Quake, "§x§f§F§8§0§0§0hex §z", runs{{"hex §z", "#ff8000"}}},
		{colour.Quake, "§x§fa§xg", runs{{"ag", ""}}},
	} {
		if diff := cmp.Diff(tt.want, tt.codes.Of(tt.text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
		if got := tt.codes.Plain(tt.text); got != colour.Join(tt.want) {
			t.Errorf("%q: plain %q", tt.text, got)
		}
	}
}

func FuzzOf(f *testing.F) {
	for _, seed := range []string{"", "^cff8000Sam^r", "^1a^7", "§6§l", "^", "^^", "^c"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, codes := range []colour.Codes{colour.None, colour.SeriousSam, colour.Quake} {
			runs := codes.Of(text)
			if len(colour.Join(runs)) > len(text) || len(runs) > len(text)+1 {
				t.Errorf("%q: %q", text, runs)
			}
			for _, r := range runs {
				if r.Colour != "" && (len(r.Colour) != 7 || strings.Trim(r.Colour[1:], "0123456789abcdef") != "") {
					t.Errorf("%q: colour %q", text, r.Colour)
				}
			}
		}
	})
}
