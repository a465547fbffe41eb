package cli

import (
	"strings"
	"unicode/utf8"
)

// maxSlips is the number of typing errors that Nearest tolerates.
const maxSlips = 2

// Nearest returns the names that are most like a word, joined by "or", "" if none is.
func Nearest(word string, names []string) string {
	var near []string
	letters := []rune(word)
	best := min(maxSlips, len(letters)-1) + 1
	limit := best
	for _, name := range names {
		if n := utf8.RuneCountInString(name); max(n, len(letters))-min(n, len(letters)) > maxSlips {
			continue // cheap, because the word may be long and untrusted
		}
		n := slips(letters, []rune(name))
		if n < best {
			best, near = n, nil
		}
		if n == best {
			near = append(near, name)
		}
	}
	if best >= limit {
		return ""
	}
	return strings.Join(near, " or ")
}

// slips returns how many characters must be added, removed or replaced to turn a into b.
func slips(a, b []rune) int {
	costs := make([]int, len(b)+1) // of the start of a and each start of b
	for j := range costs {
		costs[j] = j
	}
	for i := range len(a) {
		diagonal := costs[0]
		costs[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = costs[j+1]
			costs[j+1] = min(replaced, costs[j]+1, costs[j+1]+1)
		}
	}
	return costs[len(b)]
}
