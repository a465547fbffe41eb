package web

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// MaxText is the maximum size of a text in a list in bytes. Longer texts are cut and
// end in an ellipsis; the fields of a server are complete.
const MaxText = 256

// Visible returns a text in a form that is safe to display: valid UTF-8, with control
// characters and invisible characters, such as marks that change the direction of
// writing, replaced by their code points in angle brackets, as ⟨202E⟩. Joiners stay,
// because scripts and emoji need them. Accents beyond three on one letter, which would
// cover other lines, are replaced too.
func Visible(text string) string {
	var m marks
	if !strings.ContainsFunc(text, m.hidden) && utf8.ValidString(text) {
		return text
	}
	m = 0
	var b strings.Builder
	for _, r := range text { // of invalid bytes r is U+FFFD
		if m.hidden(r) {
			fmt.Fprintf(&b, "⟨%02X⟩", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// PlainName returns the name of an entry without colour codes, as Visible does.
func PlainName(e *catalogue.Entry) string { return Visible(codesOf(e).Plain(e.Name)) }

// marks is the number of accents and joiners since the last letter.
type marks int

// maxMarks is the number of marks that are shown.
const maxMarks = 3

// hidden reports whether the next character is hidden.
func (m *marks) hidden(r rune) bool {
	switch {
	case !isJoiner(r) && (r < firstMark || !unicode.Is(unicode.M, r)):
		*m = 0
	default:
		*m++
	}
	return *m > maxMarks || hidden(r)
}

// firstMark is the first character that combines with others.
const firstMark = 0x300

func isJoiner(r rune) bool {
	const nonJoiner, joiner = 0x200c, 0x200d
	return r == nonJoiner || r == joiner
}

func hidden(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) && !isJoiner(r)
}

// brief is Visible for lists.
func brief(text string) string {
	const ellipsis = "…"
	cut := len(text) > MaxText // the shown text is never much shorter than the input
	text = Visible(text[:min(len(text), MaxText)])
	if !cut && len(text) <= MaxText {
		return text
	}
	n := MaxText - len(ellipsis)
	for n = min(n, len(text)); n > 0 && n < len(text) && !utf8.RuneStart(text[n]); n-- {
	}
	return text[:n] + ellipsis
}
