package sqp

import "unicode/utf8"

// Clip returns the longest prefix of s that has at most [MaxClipped] bytes and
// does not end within a UTF-8 sequence. It is for texts of any length, such as
// names that players choose: encoding refuses what is too long and never clips.
func Clip(s string) string {
	if len(s) <= MaxClipped {
		return s
	}
	n := MaxClipped
	for n > MaxClipped-utf8.UTFMax && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
