package warzonenet

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The longest texts of a game in the proposals, in bytes. With them, the longest
// address and the largest numbers, a game fits a frame of the binary proposal.
const (
	maxShownName = 124
	maxShownMap  = 64
)

// shown returns a text in the form that the proposals can carry, with up to size
// bytes: control characters become spaces, bytes that are not UTF-8 become U+FFFD,
// and a longer text is cut at a rune.
func shown(s string, size int) string {
	s = strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c // utf8.RuneError for invalid UTF-8
	}, s)
	if len(s) <= size {
		return s
	}
	for !utf8.RuneStart(s[size]) {
		size--
	}
	return s[:size]
}

// setTexts sets the texts that all proposals have.
func (e *Entry) setTexts(name, mapName string) {
	e.Game.Name, e.Game.MapName = shown(name, maxShownName), shown(mapName, maxShownMap)
}
