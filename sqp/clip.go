package sqp

import "unicode/utf8"

// maxClipped is the length to which Clip shortens a text.
const maxClipped = MaxText - 1

// Clip returns the longest prefix of s that has at most 254 bytes and does not end
// within a UTF-8 sequence. That is one byte less than MaxText, because Unity's Go client
// hangs on a text of MaxText bytes. It is for texts of any length, such as names that players
// choose: encoding refuses what is too long and never clips.
func Clip(s string) string {
	if len(s) <= maxClipped {
		return s
	}
	n := maxClipped
	for n > maxClipped-utf8.UTFMax && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
