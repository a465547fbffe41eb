package wire

import (
	"math"
	"strconv"
	"strings"
)

// Score parses a score of a View, as Number parses other numbers, but it rounds a
// fraction: some games send "4.500000".
func Score(text string) *int {
	n := Decimal(text)
	if n == nil {
		return nil
	}
	whole := math.Round(*n)
	if whole < math.MinInt32 || whole > math.MaxInt32 {
		return nil
	}
	return new(int(whole))
}

// Decimal parses a number with a fraction, nil if text is none.
func Decimal(text string) *float64 {
	text = strings.Trim(text, " \t\r\n")
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.Trim(text, "+-.0123456789") != "" {
		return nil
	}
	return &n
}
