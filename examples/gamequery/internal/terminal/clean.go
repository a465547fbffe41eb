package terminal

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"

	"golang.org/x/text/unicode/bidi"

	"github.com/lobbywire/lobbywire"
)

// maxMarks is the number of accents and joiners of a letter that are kept. More would
// overwrite the lines above and below.
const maxMarks = 3

// Clean returns text from the network in a form that is safe for a terminal: on one
// line, with control characters and characters that change the direction of writing
// escaped as in Go.
func Clean(s string) string {
	var b strings.Builder
	marks := 0
	for _, c := range lobbywire.UTF8(s) {
		if isMark(c) {
			marks++
			if marks <= maxMarks {
				b.WriteRune(c)
			}
			continue
		}
		marks = 0
		switch {
		case unicode.Is(unicode.Zs, c):
			b.WriteByte(' ')
		case unicode.IsPrint(c):
			b.WriteRune(c)
		default:
			quoted := strconv.QuoteRune(c)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return strings.TrimSpace(b.String())
}

// isMark reports whether c combines with the letter before it. Joiners combine emoji,
// and shape the letters of many scripts.
func isMark(c rune) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	return unicode.Is(unicode.M, c) || c == nonJoiner || c == joiner
}

// isolate returns s such that letters written from right to left do not reorder the
// text around it. The isolates have no width.
func isolate(s string) string {
	const first, end = "\u2068", "\u2069"
	for _, c := range s {
		switch p, _ := bidi.LookupRune(c); p.Class() {
		case bidi.R, bidi.AL, bidi.AN:
			return first + s + end
		}
	}
	return s
}

// Printable returns s on one line, without control characters and with few accents on
// each letter.
func Printable(s string) string {
	if strings.ContainsFunc(s, func(c rune) bool { return !unicode.IsPrint(c) }) {
		quoted := strconv.Quote(s)
		s = quoted[1 : len(quoted)-1]
	}
	return escape(s, func(rune) bool { return false })
}

// EscapeControls escapes characters that JSON allows but that could control a terminal,
// and all but a few accents of each letter.
func EscapeControls(text []byte) []byte { return []byte(escape(string(text), hidden)) }

// escape returns s with some characters escaped, and with all but maxMarks marks of a
// letter.
func escape(s string, isEscaped func(c rune) bool) string {
	marks := 0
	escaped := func(c rune) bool {
		if !isMark(c) {
			marks = 0
			return isEscaped(c)
		}
		marks++
		return marks > maxMarks || isEscaped(c)
	}
	if !strings.ContainsFunc(s, escaped) {
		return s
	}
	marks = 0
	var b strings.Builder
	for _, c := range s {
		if !escaped(c) {
			b.WriteRune(c)
			continue
		}
		for _, unit := range utf16.Encode([]rune{c}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// hidden reports whether a character is a control character or changes the direction
// of text.
func hidden(c rune) bool {
	return c == 0x7f || c >= 0x80 && c < 0xa0 || c == 0x61c || c == 0x200e || c == 0x200f ||
		c >= 0x2028 && c <= 0x202e || c >= 0x2066 && c <= 0x2069
}
