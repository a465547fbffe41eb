package codectest

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire/internal/test/golden"
)

const (
	valueRounds = 2000
	maxHeader   = 8                // bytes of a frame before the message in a golden file
	minAccepted = valueRounds / 20 // values that AppendBinary must accept
)

// RandomValues tests that appending random values of the message type and parsing the
// result returns the same values. AppendBinary may refuse a value, but must accept
// a minimum share. A value is one of a golden file or the zero value, with a few
// random changes, or random as a whole.
func (c Codec[T]) RandomValues(t *testing.T) {
	t.Parallel()
	var seeds [][]byte
	g := newGenerator(reflect.TypeFor[T]())
	for _, f := range golden.Load(t) {
		for header := range min(len(f.Data), maxHeader) + 1 {
			if v, err := c.Parse(f.Data[header:]); err == nil {
				seeds = append(seeds, f.Data[header:])
				g.learn(reflect.ValueOf(&v).Elem())
				break
			}
		}
	}
	isInterface := reflect.TypeFor[T]().Kind() == reflect.Interface
	if isInterface && len(seeds) == 0 {
		t.Fatal("no golden file has a message of the interface")
	}
	accepted := 0
	for round := range valueRounds {
		var v T
		target := reflect.ValueOf(&v).Elem()
		if n := g.IntN(len(seeds) + 1); n < len(seeds) {
			v, _ = c.Parse(slices.Clone(seeds[n]))
		} else if isInterface || g.chance(2) {
			g.fill(target, 0)
		}
		for range g.IntN(4) {
			g.mutate(target)
		}
		encoded, err := c.sendable(v).AppendBinary(nil)
		if err != nil {
			continue
		}
		accepted++
		back, err := c.parserFor(v, false)(encoded)
		if err != nil {
			t.Fatalf("round %d: %+v\nis appended as %q, which fails: %v", round, v, encoded, err)
		}
		v = c.sent(v, len(encoded))
		if diff := Diff(v, back, c.Compare, equateEmpty); diff != "" {
			t.Fatalf("round %d: %+v\nappended as %q (-appended +parsed):\n%s", round, v, encoded, diff)
		}
		c.checkStrictly(t, v, encoded)
	}
	t.Logf("%d of %d values accepted", accepted, valueRounds)
	if accepted < minAccepted {
		t.Errorf("%d of %d values accepted, want at least %d", accepted, valueRounds, minAccepted)
	}
}

// equateEmpty makes empty slices and maps equal to nil, since on the wire there is no
// difference. Packages compare raw JSON, which is never empty, themselves.
var equateEmpty = cmp.FilterPath(func(p cmp.Path) bool {
	return p.Last().Type() != reflect.TypeFor[json.RawMessage]()
}, cmpopts.EquateEmpty())

// newGenerator returns a generator of values of a type. Each run gets the same
// values.
func newGenerator(t reflect.Type) *generator {
	g := &generator{
		Rand:     rand.New(rand.NewPCG(1, 2)),
		texts:    slices.Clone(texts[:]),
		seen:     make(map[reflect.Type][]reflect.Value),
		concrete: make(map[reflect.Type][]reflect.Type),
	}
	g.learnTags(t, make(map[reflect.Type]bool))
	return g
}
