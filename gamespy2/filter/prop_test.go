package filter_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/gamespy2/filter"
	"github.com/lobbywire/lobbywire/internal/test/golden"
)

// What a filter matches does not depend on how it is written.
func TestPrintedFilterMatchesTheSame(t *testing.T) {
	values := []string{"", "0", "1", "5", "x", "US", "gpm_cq"}
	for _, g := range golden.Load(t) {
		m, err := filter.ParseFilter(g.Data)
		if err != nil {
			continue
		}
		printed := parse(t, m.String())
		if diff := cmp.Diff(m, printed); diff != "" {
			t.Errorf("%s (-read +printed):\n%s", g.Name, diff)
		}
		for i := range 100 {
			server := func(key string) (string, bool) { return values[(i+len(key)*i)%len(values)], i%3 > 0 }
			if m.Match(server) != printed.Match(server) {
				t.Errorf("%s: server %d matches one of %s and %s", g.Name, i, g.Data, printed)
			}
		}
	}
}

// A filter that can still become valid stays so without its last byte, also where it
// is nearly too deep. Operators that are cut short, such as | of ||, bind otherwise.
func TestCutFiltersStayValid(t *testing.T) {
	parts := []string{
		"a", "'b'", "5", "(", ")", "!", " ", " o", "nul", "null", "not", " not ", " like ", " not like ",
		" and ", " or ", " is not ", "|", "||", "<", "<<", "<=", "!=", "+", "&", "&&",
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		deep := []string{"!", "a or !", "a+", "a or (", "a and (b|"}[r.IntN(5)]
		in := strings.Repeat(deep, maxDepth/strings.Count(deep+"!", "!")-r.IntN(6))
		for range 12 {
			in += parts[r.IntN(len(parts))]
		}
		for n := len(in) - 30; n <= len(in); n++ {
			if n > 0 {
				filterCodec.Check(t, []byte(in[:n]))
			}
		}
	}
}

// like agrees with a plain matcher that tries every place.
func FuzzLike(f *testing.F) {
	f.Add("GameSpy QR2 Sample", "%spy%sam%")
	f.Add("aaa", "%a%aa")
	f.Fuzz(func(t *testing.T, s, pattern string) {
		if len(pattern) > 12 || len(s) > 24 || strings.ContainsRune(s+pattern, 0) {
			return
		}
		m := filter.Filter{Op: "like",
			Args: []filter.Filter{{Op: filter.OpName, Text: "a"}, {Op: filter.OpText, Text: pattern}}}
		got := m.Match(func(string) (string, bool) { return s, true })
		if want := likeByTrying(asciiLower(s), asciiLower(pattern)); got != want {
			t.Errorf("%q like %q: %v, want %v", s, pattern, got, want)
		}
	})
}

func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

func likeByTrying(s, pattern string) bool {
	switch {
	case pattern == "":
		return s == ""
	case pattern[0] == '%':
		return likeByTrying(s, pattern[1:]) || s != "" && likeByTrying(s[1:], pattern)
	}
	return s != "" && s[0] == pattern[0] && likeByTrying(s[1:], pattern[1:])
}
