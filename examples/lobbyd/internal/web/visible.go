package web

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxText is the maximum size of a text in a list in bytes. Longer texts are cut and
// end in an ellipsis; the fields of a server are complete.
const MaxText = 256

// Visible returns a text in a form that is safe to display: valid UTF-8, with control
// characters and invisible characters, such as those that change the direction of
// writing, replaced by their code points in angle brackets, as ⟨202E⟩. Joiners stay,
// since scripts and emoji need them.
func Visible(text string) string {
	if strings.IndexFunc(text, hidden) < 0 && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for _, r := range text { // of invalid bytes r is U+FFFD
		if hidden(r) {
			fmt.Fprintf(&b, "⟨%02X⟩", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func hidden(r rune) bool {
	const nonJoiner, joiner = 0x200c, 0x200d
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) && r != nonJoiner && r != joiner
}

// brief is Visible for lists.
func brief(text string) string {
	const ellipsis = "…"
	cut := len(text) > MaxText // what is shown is never much shorter than what came
	text = Visible(text[:min(len(text), MaxText)])
	if !cut && len(text) <= MaxText {
		return text
	}
	n := MaxText - len(ellipsis)
	for n = min(n, len(text)); n > 0 && n < len(text) && !utf8.RuneStart(text[n]); n-- {
	}
	return text[:n] + ellipsis
}
