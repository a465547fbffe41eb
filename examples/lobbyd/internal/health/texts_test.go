package health

import (
	"net/netip"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire/examples/internal/cli"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// Texts are UTF-8 in the catalogue and for the rules: Windows-1252 unless the configuration
// of the game names another encoding.
func TestTextsAreUTF8(t *testing.T) {
	at := netip.MustParseAddrPort("192.0.2.1:7777")
	cyrillic, err := cli.TextDecoder("windows-1251")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ game, name, want string }{
		{"ut", "\xa7 M\xfcller \xa7", "§ Müller §"},
		{"ut", "\x95 In \x99", "• In ™"},
		{"ut", "Привет", "Привет"},
		{"russian", "\xcf\xf0\xe8\xe2\xe5\xf2", "Привет"},
		{"russian", "Müller", "Müller"},
	} {
		w := Watcher{Judge: new(Judge)}
		w.Judge.SetTexts(map[string]func([]byte) string{"russian": cyrillic})
		legacy := gamespy1net.Entry{Game: at, GameName: tt.game,
			Status: `\gamename\` + tt.game + `\hostname\` + tt.name + `\numplayers\1\maxplayers\8\final\`}
		gamespy := gamespy2net.Entry{Game: tt.game, Addr: at,
			Heartbeat: "\x03\x01\x02\x03\x04gamename\x00" + tt.game + "\x00hostname\x00" + tt.name + "\x00\x00"}
		wants := map[string]item{"legacy": w.gameagentItem(legacy), "gamespy2": w.gameSpyItem(gamespy)}
		if tt.game != "russian" {
			wants["warzone"] = warzoneItem(warzonegames.Entry{Key: at, Game: warzone.Game{Name: tt.name}})
		}
		for form, x := range wants {
			toUTF8(&x.Entry)
			if x.Name != tt.want || x.claim.name != tt.want {
				t.Errorf("%s, %s: name %q, claims %q, want %q", form, tt.game, x.Name, x.claim.name, tt.want)
			}
			if !slices.ContainsFunc(x.Fields, func(f catalogue.Field) bool { return f.Value == tt.want }) {
				t.Errorf("%s, %s: fields %q", form, tt.game, x.Fields)
			}
			for _, f := range x.Fields {
				if !utf8.ValidString(f.Name) || !utf8.ValidString(f.Value) {
					t.Errorf("%s, %s: field %q", form, tt.game, f)
				}
			}
		}
	}
}
