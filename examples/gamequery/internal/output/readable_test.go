package output

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone"
)

// In the JSON of a list, text is UTF-8, by the rule for all protocols.
func TestJSONTextIsUTF8(t *testing.T) {
	name := strings.Repeat("ж", 32)[:63] // as a host of Warzone cuts it
	for in, want := range map[string]string{
		name:      strings.Repeat("ж", 31) + "\ufffd",
		"Zo\xeb":  "Zoë",
		"In \x99": "In ™",
		"Зоя":     "Зоя",
		"\xd0Зоя": lobbywire.UTF8("\xd0Зоя"),
	} {
		g := warzone.Game{Name: in, SecondaryHosts: [2]string{in}}
		if got, ok := readable(g).(warzone.Game); !ok || got.Name != want || got.SecondaryHosts[0] != want || g.Name != in {
			t.Errorf("%q: %+v, want %q", in, got, want)
		}
	}
	line, err := Answer{Message: warzone.Game{Name: name}}.line()
	if err != nil || !strings.Contains(string(line), strings.Repeat("ж", 31)+"\ufffd") ||
		strings.Contains(string(line), "latin1") {
		t.Errorf("%s, %v", line, err)
	}
}
