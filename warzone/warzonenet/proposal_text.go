package warzonenet

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// What the texts of a game have at most, in bytes, as the proposals show and
// keep them: so much is sure to fit a frame of the binary one, of 255, with the
// longest address and numbers.
const (
	maxShownName = 124
	maxShownMap  = 64
)

// shown returns a text as the proposals can carry it: control characters are
// spaces, what is not UTF-8 is U+FFFD, and of more than size bytes there is what
// fits up to the end of a character.
func shown(s string, size int) string {
	s = strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c // utf8.RuneError for what is not UTF-8
	}, s)
	if len(s) <= size {
		return s
	}
	for !utf8.RuneStart(s[size]) {
		size--
	}
	return s[:size]
}
