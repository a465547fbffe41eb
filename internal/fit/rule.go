package fit

import (
	"strings"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire"
)

// A Rule defines which texts a protocol can carry.
type Rule struct {
	Max       int    // bytes
	Forbidden string // ASCII characters that the protocol cannot carry
}

// Control are the control characters of ASCII, except DEL.
const Control = "\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0b\x0c\r\x0e\x0f" +
	"\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f"

// Fit converts s with [lobbywire.UTF8], replaces each forbidden character by ?, and cuts
// off the characters that exceed Max.
func (r Rule) Fit(s string) string {
	s = lobbywire.UTF8(s)
	if strings.ContainsAny(s, r.Forbidden) {
		s = strings.Map(func(c rune) rune {
			if strings.ContainsRune(r.Forbidden, c) {
				return '?'
			}
			return c
		}, s)
	}
	if len(s) <= r.Max {
		return s
	}
	end := r.Max
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}
