package warzone

import (
	"strings"
	"unicode/utf8"
)

// Clip returns as much of the start of s as fits a text field of a [Game] that
// holds size bytes, as [MaxName]: up to a zero byte, and a UTF-8 sequence that
// the end would cut is left out.
func Clip(s string, size int) string {
	if i := strings.IndexByte(s, 0); i >= 0 {
		s = s[:i]
	}
	size = max(size, 0)
	if len(s) <= size {
		return s
	}
	cut := size
	for cut > 0 && size-cut < utf8.UTFMax && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut]
}
