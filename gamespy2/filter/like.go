package filter

import "strings"

// like reports whether s matches a pattern. Each % in it matches any bytes. The case of
// ASCII letters is ignored.
//
// The first part of the pattern must be at the start of s and the last at the end. Each
// part between them is matched at its first occurrence. Each byte of s is searched for one
// part only, and index is linear, so the work is at most proportional to the length of s
// plus the length of the pattern.
func like(s, pattern string) bool {
	first, rest, found := strings.Cut(pattern, "%")
	if !found {
		return len(s) == len(pattern) && hasPrefix(s, pattern)
	}
	if !hasPrefix(s, first) {
		return false
	}
	s = s[len(first):]
	for {
		part, after, found := strings.Cut(rest, "%")
		if !found {
			return len(s) >= len(part) && hasPrefix(s[len(s)-len(part):], part)
		}
		at := index(s, part)
		if at < 0 {
			return false
		}
		s = s[at+len(part):]
		rest = after
	}
}

// patient is the number of bytes that index compares in vain per position before it
// prepares a faster search.
const patient = 4

// index returns the first position of part in s, or -1. It compares at most patient*len(s)
// + 3*len(s) + 5*len(part) bytes.
func index(s, part string) int {
	compared := 0
	for i := 0; i+len(part) <= len(s); i++ {
		n := commonPrefix(s[i:], part)
		if n == len(part) {
			return i
		}
		compared += n
		if compared > patient*(i+1)+len(part) {
			return indexTwoWay(s, part, i+1)
		}
	}
	return -1
}

// indexTwoWay is index from the position start on, by the Two-Way algorithm of Crochemore
// and Perrin. It needs no memory, and its work is linear.
//
// It splits part in two halves. At each position it compares the right half, and then the
// left one backwards. The split is such that a mismatch at byte n of the right half rules
// out the next n positions, and a mismatch in the left half all positions within the
// period.
func indexTwoWay(s, part string, start int) int {
	split, period := maximalSuffix(part, false)
	if other, p := maximalSuffix(part, true); other > split {
		split, period = other, p
	}
	known := 0 // the bytes that a part moved by its period has in common with itself
	if hasPrefix(part[period:], part[:split]) {
		known = len(part) - period
	} else {
		period = max(split, len(part)-split) + 1
	}
	for i, matched := start, 0; i+len(part) <= len(s); {
		from := max(split, matched)
		right := from + commonPrefix(s[i+from:], part[from:])
		if right < len(part) {
			i += right - split + 1
			matched = 0
			continue
		}
		left := split
		for left > matched && lower(s[i+left-1]) == lower(part[left-1]) {
			left--
		}
		if left <= matched {
			return i
		}
		i += period
		matched = known
	}
	return -1
}

// maximalSuffix returns the start of the suffix of s that is last in the order of bytes,
// or in the reversed order, and the period of that suffix.
func maximalSuffix(s string, reversed bool) (start, period int) {
	period = 1
	for i, n := 1, 0; i+n < len(s); {
		a, b := lower(s[i+n]), lower(s[start+n])
		switch {
		case a == b && n+1 == period:
			i += period
			n = 0
		case a == b:
			n++
		case a < b != reversed:
			i += n + 1
			n = 0
			period = i - start
		default:
			start = i
			i++
			n, period = 0, 1
		}
	}
	return start, period
}

// hasPrefix reports whether s starts with prefix, whatever the case of ASCII letters.
func hasPrefix(s, prefix string) bool {
	return len(s) >= len(prefix) && commonPrefix(s, prefix) == len(prefix)
}

// commonPrefix returns how many bytes of prefix s starts with, whatever the case of ASCII
// letters.
func commonPrefix(s, prefix string) int {
	end := min(len(s), len(prefix))
	for i := range end {
		if lower(s[i]) != lower(prefix[i]) {
			return i
		}
	}
	return end
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + ('a' - 'A')
	}
	return c
}
