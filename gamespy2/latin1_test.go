package gamespy2_test

import (
	"testing"

	"github.com/lobbywire/lobbywire/gamespy2"
)

func TestLatin1(t *testing.T) {
	for _, tt := range []struct{ latin1, utf8 string }{
		{"", ""},
		{"plain", "plain"},
		{"Gr\xfc\xdfe", "Grüße"},
		{"\xa7a\x01\x80\xff", "§a\x01\u0080ÿ"},
	} {
		if got := gamespy2.Latin1(tt.latin1); got != tt.utf8 {
			t.Errorf("Latin1(%q) is %q, want %q", tt.latin1, got, tt.utf8)
		}
		if got, ok := gamespy2.ToLatin1(tt.utf8); got != tt.latin1 || !ok {
			t.Errorf("ToLatin1(%q) is %q, %v; want %q", tt.utf8, got, ok, tt.latin1)
		}
	}
	for _, s := range []string{"™", "Gr\xfc\xdfe", "日本"} {
		if got, ok := gamespy2.ToLatin1(s); got != "" || ok {
			t.Errorf("ToLatin1(%q) is %q, %v", s, got, ok)
		}
	}
}
