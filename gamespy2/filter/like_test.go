package filter

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Parts with periods, of few letters, are where a search that skips places may err. Both
// searches find the place that a plain one finds.
func TestSearchesFindWhatAPlainOneFinds(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	letters := func(alphabet string, n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = alphabet[r.IntN(len(alphabet))]
		}
		return string(b)
	}
	found := 0
	const tries = 200_000
	for range tries {
		alphabet := []string{"ab", "aAb", "abc"}[r.IntN(3)]
		unit := letters(alphabet, 1+r.IntN(5))
		part := strings.Repeat(unit, 1+r.IntN(5)) + letters(alphabet, r.IntN(3))
		s := strings.Repeat(unit, r.IntN(6)) + letters(alphabet, r.IntN(8)) + strings.Repeat(unit, r.IntN(8)) +
			part[r.IntN(len(part)):] + letters(alphabet, r.IntN(20))
		want := strings.Index(strings.ToLower(s), strings.ToLower(part))
		if got := indexTwoWay(s, part, 0); got != want {
			t.Fatalf("indexTwoWay: %q in %q at %d, want %d", part, s, got, want)
		}
		if got := index(s, part); got != want {
			t.Fatalf("index: %q in %q at %d, want %d", part, s, got, want)
		}
		if want >= 0 {
			found++
		}
	}
	if found < tries/10 || found > tries*9/10 {
		t.Errorf("%d of %d are found", found, tries)
	}
}
