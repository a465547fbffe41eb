package terminal

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

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
			if marks++; marks <= maxMarks {
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

// Printable returns s on one line and without control characters.
func Printable(s string) string {
	if strings.ContainsFunc(s, func(c rune) bool { return !unicode.IsPrint(c) }) {
		quoted := strconv.Quote(s)
		return quoted[1 : len(quoted)-1]
	}
	return s
}

// EscapeControls escapes characters that JSON allows but that could control a terminal.
func EscapeControls(text []byte) []byte {
	if !strings.ContainsFunc(string(text), hidden) {
		return text
	}
	var b strings.Builder
	for _, c := range string(text) {
		if hidden(c) && c <= 0xffff {
			fmt.Fprintf(&b, `\u%04x`, c)
		} else {
			b.WriteRune(c)
		}
	}
	return []byte(b.String())
}

// hidden reports whether a character is a control character or changes the direction
// of text.
func hidden(c rune) bool {
	return c == 0x7f || c >= 0x80 && c < 0xa0 || c == 0x61c || c == 0x200e || c == 0x200f ||
		c >= 0x2028 && c <= 0x202e || c >= 0x2066 && c <= 0x2069
}
