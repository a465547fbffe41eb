package wire

import (
	"math"
	"strconv"
	"strings"
)

// Count returns n in the form of the numbers of a lobbywire.View. It returns nil, unknown,
// if n is negative or above 2147483647, because such a count cannot be right.
func Count(n int64) *int {
	if n < 0 || n > math.MaxInt32 {
		return nil
	}
	return new(int(n))
}

// Number parses a text as a number of a lobbywire.View, for all protocols that send numbers as
// text. It returns nil, unknown, unless the text is a decimal number of 32 bits.
// Blanks around it, zeros before it and a fraction of zeros are accepted: games
// send " 152", "08" and "12.00".
func Number(text string) *int {
	n, ok := parseNumber(text)
	if !ok {
		return nil
	}
	return &n
}

func parseNumber(text string) (n int, ok bool) {
	whole, fraction, _ := strings.Cut(trimBlanks(text), ".")
	n64, err := strconv.ParseInt(whole, 10, 32)
	return int(n64), err == nil && strings.Trim(fraction, "0") == ""
}

// Bool parses a text as a flag of a lobbywire.View, for all protocols that send flags as text.
// True is a number except 0, or true, yes, on, t or y in any case; false is 0, or
// false, no, off, f or n. Blanks around them are accepted. Bool returns nil, unknown,
// for any other text.
func Bool(text string) *bool {
	is, ok := parseBool(text)
	if !ok {
		return nil
	}
	return &is
}

func parseBool(text string) (is, ok bool) {
	if n, ok := parseNumber(text); ok {
		return n != 0, true
	}
	switch strings.ToLower(trimBlanks(text)) {
	case "true", "yes", "on", "t", "y":
		return true, true
	case "false", "no", "off", "f", "n":
		return false, true
	}
	return false, false
}

// trimBlanks returns text without the blanks that games send around numbers and flags.
func trimBlanks(text string) string {
	for text != "" && isBlank(text[0]) {
		text = text[1:]
	}
	for text != "" && isBlank(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	return text
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
