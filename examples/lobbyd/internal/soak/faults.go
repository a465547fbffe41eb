package soak

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// maxExamples is the number of different faults that are kept of each kind. All are
// counted.
const maxExamples = 5

// faults are the faults so far.
type faults struct {
	mu       sync.Mutex
	n        uint64
	examples map[string][]string
}

// add records a fault of a kind.
func (f *faults) add(of, format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n++
	if f.examples == nil {
		f.examples = make(map[string][]string)
	}
	what := fmt.Sprintf(format, args...)
	kind, _, _ := strings.Cut(what, " ")
	kind = of + " " + kind
	what = of + " " + what
	if len(f.examples[kind]) < maxExamples && !slices.Contains(f.examples[kind], what) {
		f.examples[kind] = append(f.examples[kind], what)
	}
}

func (f *faults) all() (n uint64, examples []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, e := range f.examples {
		examples = append(examples, e...)
	}
	return f.n, examples
}
