package wirejson

import (
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// scanNumber returns the size of the number at the start of p.
func scanNumber(p []byte) (n int, kind error) {
	if n < len(p) && p[n] == '-' {
		n++
	}
	from := n
	n, kind = scanDigits(p, n)
	if kind != nil {
		return 0, kind
	}
	if p[from] == '0' && n > from+1 {
		return 0, wire.Invalid("is a number with zeros in front")
	}
	if n < len(p) && p[n] == '.' {
		n, kind = scanDigits(p, n+1)
		if kind != nil {
			return 0, kind
		}
	}
	if n < len(p) && p[n]|0x20 == 'e' {
		n++
		if n < len(p) && (p[n] == '+' || p[n] == '-') {
			n++
		}
		n, kind = scanDigits(p, n)
		if kind != nil {
			return 0, kind
		}
	}
	return n, nil
}

// scanDigits returns the end of the digits that start at p[n]. There must be at
// least one.
func scanDigits(p []byte, n int) (end int, kind error) {
	for end = n; end < len(p) && p[end] >= '0' && p[end] <= '9'; end++ {
	}
	switch {
	case end > n:
		return end, nil
	case end == len(p):
		return 0, lobbywire.ErrTruncated
	}
	return 0, wire.Invalid("is not a number")
}

// parseInt returns the value of a number that scanNumber accepts, if it is an
// integer of 64 bits. It may have a fraction and an exponent unless plain.
func parseInt(p []byte, plain bool) (v int64, ok bool) {
	if v, ok := parsePlainInt(p); ok || plain {
		return v, ok
	}
	text, exponent, _ := strings.Cut(strings.ToLower(string(p)), "e")
	text, negative := strings.CutPrefix(text, "-")
	whole, fraction, _ := strings.Cut(text, ".")
	point := len(whole)
	digits := strings.TrimRight(whole+fraction, "0")
	if digits == "" {
		return 0, true
	}
	if exponent != "" {
		e, err := strconv.Atoi(exponent)
		if err != nil {
			return 0, false
		}
		point += e
	}
	// The last digit is not zero, so it must be before the point.
	const maxDigits = 19
	significant := strings.TrimLeft(digits, "0")
	zeros := point - len(digits)
	if zeros < 0 || zeros > maxDigits || len(significant)+zeros > maxDigits {
		return 0, false
	}
	text = significant + strings.Repeat("0", zeros)
	if negative {
		text = "-" + text
	}
	v, err := strconv.ParseInt(text, 10, 64)
	return v, err == nil
}

// parsePlainInt is parseInt for digits after an optional minus. Up to 18 digits
// cannot overflow, so they need no check.
func parsePlainInt(p []byte) (v int64, ok bool) {
	digits := p
	if p[0] == '-' {
		digits = p[1:]
	}
	if len(digits) > 18 {
		v, err := strconv.ParseInt(string(p), 10, 64)
		return v, err == nil
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = v*10 + int64(c-'0')
	}
	if len(digits) < len(p) {
		v = -v
	}
	return v, true
}

// castNumber returns the integer part, modulo 2 to the power of 64, of a number that
// scanNumber accepts.
func castNumber(p []byte) (v uint64, ok bool) {
	if v, ok := parsePlainInt(p); ok {
		return uint64(v), true
	}
	if v, err := strconv.ParseUint(string(p), 10, 64); err == nil {
		return v, true
	}
	const limit = 1 << 63
	f, err := strconv.ParseFloat(string(p), 64)
	if err != nil || f < -limit || f >= limit {
		return 0, false
	}
	return uint64(int64(f)), true
}
