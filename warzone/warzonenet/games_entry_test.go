package warzonenet

import (
	"net/netip"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

func TestShown(t *testing.T) {
	for _, tt := range []struct {
		text string
		size int
		want string
	}{
		{"", 3, ""},
		{"abc", 3, "abc"},
		{"abcd", 3, "abc"},
		{"äöü", 4, "äö"},
		{"äöü", 3, "ä"},
		{"健", 2, ""},
		{"a\x00b\tc\n", 9, "a b c "},
		{"\u0080\u009f", 2, "  "},
		{"\xff\xfe", 6, "\ufffd\ufffd"},
		{"\xff\xfe", 5, "\ufffd"},
		{"👩‍👩", 5, "👩"},
	} {
		if got := shown(tt.text, tt.size); got != tt.want {
			t.Errorf("%q in %d: %q, want %q", tt.text, tt.size, got, tt.want)
		}
	}
}

// The longest row fits the smallest frame.
func TestShownFitsFrames(t *testing.T) {
	g := gameOf(strings.Repeat("x", 1000))
	g.MapName, g.MaxPlayers = g.Name, 1<<32-1
	e := Entry{Key: netip.MustParseAddrPort("[1111:1111:1111:1111:1111:1111:1111:1111]:65535"), Game: g, Started: true}
	l := ProposalLobby{Encoding: wzproposal.Binary}
	l.once.Do(l.init)
	b, ok := l.row(&e)
	if !ok || len(b) != wzproposal.MaxFrame {
		t.Errorf("%d bytes, %v, want %d", len(b), ok, wzproposal.MaxFrame)
	}
}

func FuzzShown(f *testing.F) {
	f.Add("Evil\x1b[2J\xff\u009b健", 7)
	f.Fuzz(func(t *testing.T, text string, size int) {
		size = int(uint8(size))
		got := shown(text, size)
		if len(got) > size || !utf8.ValidString(got) || strings.ContainsAny(got, "\x00\t\n\r\x1b\x7f\u009b") {
			t.Errorf("%q in %d: %q", text, size, got)
		}
		if again := shown(got, size); again != got {
			t.Errorf("%q, then %q", got, again)
		}
	})
}
