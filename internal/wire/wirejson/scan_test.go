package wirejson

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestPlainSizeEndsAtTheFirstSpecialByte puts every byte at every place of texts of many sizes, alone and before
// another byte that is not plain.
func TestPlainSizeEndsAtTheFirstSpecialByte(t *testing.T) {
	for size := range 20 {
		for at := range size {
			for c := range 256 {
				for _, behind := range []string{"", "\x00", "\"", "\xff"} {
					p := []byte(strings.Repeat("a", size))
					p[at] = byte(c)
					copy(p[at+1:], behind)
					want := size
					for i := range p {
						if c := p[i]; c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' {
							want = i
							break
						}
					}
					if got := plainSize(p); got != want {
						t.Fatalf("plainSize(%q) = %d, want %d", p, got, want)
					}
				}
			}
		}
	}
}
