package sqp

import (
	"unicode/utf8"

	"github.com/lobbywire/lobbywire"
)

// maxClipped is the length to which Clip shortens a text.
const maxClipped = MaxText - 1

// Clip converts s to valid UTF-8, see [lobbywire.UTF8], and returns the longest prefix that
// has at most 254 bytes and does not end within a character. Use it for texts from
// elsewhere, such as names that players choose: encoding refuses texts that are invalid or
// too long, and never clips. The wire has room for [MaxText], 255 bytes, but Unity's Go
// client hangs on a text of that length.
func Clip(s string) string {
	s = lobbywire.UTF8(s)
	if len(s) <= maxClipped {
		return s
	}
	n := maxClipped
	for !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
