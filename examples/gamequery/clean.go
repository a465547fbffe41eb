package main

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/bidi"

	"github.com/lobbywire/lobbywire"
)

// maxMarks is how many accents and joiners a letter keeps. More are put on one
// to write over the lines above and below.
const maxMarks = 3

// clean returns text from the network as a terminal may see it: on one line,
// with control characters, and such as change the direction of what follows,
// shown as they are written in Go.
func clean(s string) string {
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

// isMark tells whether c is written onto or into the letter before it. Joiners
// make one emoji of several, and shape the letters of many scripts.
func isMark(c rune) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	return unicode.Is(unicode.M, c) || c == nonJoiner || c == joiner
}

// isolate returns s so that letters written from right to left do not turn what
// stands beside them. The isolates have no width.
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
