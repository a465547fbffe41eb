package sqp

import "unicode/utf8"

// Clip returns the longest beginning of s that a text field can hold and that
// does not cut a UTF-8 sequence. Encoding never clips by itself.
func Clip(s string) string {
	if len(s) <= MaxText {
		return s
	}
	n := MaxText
	for n > MaxText-utf8.UTFMax && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
