package output

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/warzone"
)

// In the JSON of a list, text that was cut within a character has U+FFFD at the end.
// Other text that is not UTF-8 is decoded as Latin-1, as in the JSON form of messages.
func TestRepaired(t *testing.T) {
	name := strings.Repeat("ж", 32)[:63] // as a host of Warzone cuts it
	for in, want := range map[string]string{
		name:      strings.Repeat("ж", 31) + "\ufffd",
		"Zo\xeb":  "Zo\xeb",
		"Зоя":     "Зоя",
		"\xd0Зоя": "\xd0Зоя",
	} {
		g := warzone.Game{Name: in, SecondaryHosts: [2]string{in}}
		if got, ok := repaired(g).(warzone.Game); !ok || got.Name != want || got.SecondaryHosts[0] != want || g.Name != in {
			t.Errorf("%q: %+v, want %q", in, got, want)
		}
	}
	line, err := Answer{Message: warzone.Game{Name: name}}.line()
	if err != nil || !strings.Contains(string(line), strings.Repeat("ж", 31)+"\ufffd") || strings.Contains(string(line), "latin1") {
		t.Errorf("%s, %v", line, err)
	}
}
