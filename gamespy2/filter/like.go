package filter

import "strings"

// like reports whether s matches a pattern, in which each % matches any bytes.
// The case of ASCII letters is ignored.
//
// The first part of the pattern must be at the start of s and the last at the end.
// Each part between them is matched where it is found first. So the work is at most
// the length of s times that of the pattern, however many % there are.
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
		for !hasPrefix(s, part) {
			if len(s) <= len(part) {
				return false
			}
			s = s[1:]
		}
		s = s[len(part):]
		rest = after
	}
}

// hasPrefix reports whether s starts with prefix, whatever the case of ASCII letters.
func hasPrefix(s, prefix string) bool {
	if len(s) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		if lower(s[i]) != lower(prefix[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + ('a' - 'A')
	}
	return c
}
