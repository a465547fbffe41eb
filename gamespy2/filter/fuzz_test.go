package filter_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/gamespy2/filter"
	"github.com/lobbywire/lobbywire/internal/test/golden"
)

// FuzzStrict checks that a filter that Strict accepts is the same by default, and that
// evaluating it does not panic.
func FuzzStrict(f *testing.F) {
	for _, g := range golden.Load(f) {
		f.Add(g.Data, "5")
	}
	f.Fuzz(func(t *testing.T, b []byte, value string) {
		m, err := filter.ParseFilter(b)
		strictly, strictErr := strict.ParseFilter(b)
		if strictErr == nil {
			if diff := cmp.Diff(m, strictly); err != nil || diff != "" {
				t.Fatalf("%q: accepted by Strict, but by default %v (-default +strict):\n%s", b, err, diff)
			}
		}
		if err != nil {
			return
		}
		server := func(key string) (string, bool) { return value, len(key)%2 == 0 }
		got := m.Match(server)
		if text, err := m.AppendBinary(nil); err == nil {
			again, err := strict.ParseFilter(text)
			if err != nil || again.Match(server) != got {
				t.Fatalf("%q: printed as %q, which Strict reads with %v and matches otherwise than %v", b, text, err,
					got)
			}
		}
	})
}
