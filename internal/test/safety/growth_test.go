package safety_test

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// A subject reads bytes of a peer: it is a parser, an Assembler or what cuts a stream.
type subject struct {
	name string
	all  []try
}

// A try is a reader, and inputs for it of any size.
type try struct {
	of   func(size int) []byte
	read func(b []byte) error
}

// Each round of timing reads about 1 MiB, as inputs of each of these sizes. So the garbage
// collector slows all down alike. Other programs do not count.
var growthSizes = [...]int{16 << 10, 64 << 10, 1 << 20}

const (
	mostTries = 120 // of a subject
	slowest   = 2   // tries that are timed at all sizes
	rounds    = 8   // of timing before a try fails

	// slack is how much longer one input of 1 MiB may take than 64 of 16 KiB, because of caches
	// and maps that grow. If the time of an input grows with the square of its size, it takes
	// 64 times as long.
	slack = 6

	// short is a time that is not compared: 32 ns for each byte. Copying 1 MiB into new
	// memory alone may take a third of it.
	short = 32 * time.Millisecond

	// hopeless is a time that no other round makes short enough.
	hopeless = 4 * time.Second
)

// The time and the memory for reading hostile inputs grow at most in proportion to their size,
// even if Options raise the limits. The inputs are golden files with repeated parts, whose
// texts and numbers differ. Assemblers get packets with many ids, and streams arrive byte by
// byte.
func TestReadersAreLinear(t *testing.T) {
	suite.Long(t, "half a minute")
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "16 KiB\t64 KiB\t1 MiB\tgrowth\tallocated\tgrowth\tinputs\t")
	subjects := slices.Concat(parsers(t), assemblers(t), cutters(t))
	for _, s := range subjects {
		if len(s.all) == 0 {
			t.Errorf("no golden file suits %s", s.name)
			continue
		}
		worst := s.worst(t)
		for _, took := range worst.times {
			fmt.Fprintf(w, "%.2f\t", float64(took)/float64(growthSizes[len(growthSizes)-1]))
		}
		fmt.Fprintf(w, "%.1f\t%.1f\t%.1f\t%d\t %s\n", worst.growth(), worst.allocatedAt(len(growthSizes)-1),
			worst.allocatedAt(len(growthSizes)-1)/max(worst.allocatedAt(0), 1), len(s.all), s.name)
	}
	w.Flush()
	t.Logf("%d readers, each with the slowest of its inputs: ns for each byte of an input of a size, and how they grow; "+
		"bytes allocated for each byte of 1 MiB, and how they grow from 16 KiB:\n%s", len(subjects), table.String())
}

// A timing is what it takes to read 1 MiB as inputs of each size.
type timing struct {
	times     [len(growthSizes)]time.Duration
	allocated [len(growthSizes)]uint64
}

// growth returns how much longer one input of 1 MiB takes than many of 16 KiB.
func (g timing) growth() float64 {
	return float64(g.times[len(g.times)-1]) / float64(max(g.times[0], 1))
}

// allocatedAt returns the bytes that are allocated for each byte of inputs of a size.
func (g timing) allocatedAt(i int) float64 {
	return float64(g.allocated[i]) / float64(growthSizes[len(growthSizes)-1])
}

// isLinear reports whether the time grows as the size does.
func (g timing) isLinear() bool { return g.times[len(g.times)-1] <= short || g.growth() <= slack }

// worst returns the timing of the slowest input of a subject. It fails t if the time or the
// memory of one grows more than its size.
func (s subject) worst(t *testing.T) (worst timing) {
	type rank struct {
		try
		took time.Duration
	}
	var all []rank
	for _, one := range spread(s.all, mostTries) {
		b := one.of(growthSizes[1])
		took := time.Hour
		for range 3 {
			start := cpuTime()
			_ = one.read(b) // an error takes time too
			took = min(took, cpuTime()-start)
		}
		all = append(all, rank{one, took})
	}
	slices.SortStableFunc(all, func(a, b rank) int { return cmp.Compare(b.took, a.took) })
	for _, one := range all[:min(len(all), slowest)] {
		g := one.timing()
		if last := len(g.times) - 1; g.times[last] > worst.times[last] {
			worst = g
		}
		if !g.isLinear() {
			t.Errorf("%s takes %v for 1 MiB in inputs of %d bytes, such as %.200q", s.name, g.times, growthSizes, one.of(0))
		}
		if most := uint64(slack)*g.allocated[0] + 1<<20; g.allocated[len(g.allocated)-1] > most {
			t.Errorf("%s allocates %d bytes for 1 MiB in inputs of %d bytes, such as %.200q", s.name, g.allocated,
				growthSizes, one.of(0))
		}
	}
	return worst
}

// spread returns at most n elements of all, spread over them.
func spread[E any](all []E, n int) []E {
	if len(all) <= n {
		return all
	}
	some := make([]E, n)
	for i := range some {
		some[i] = all[i*len(all)/n]
	}
	return some
}

// timing returns the best times of one round, or of more while they grow too much.
func (o try) timing() (g timing) {
	for round := 0; round == 0 || round < rounds && !g.isLinear() && g.times[len(g.times)-1] < hopeless; round++ {
		for i, size := range growthSizes {
			b := o.of(size)
			n := max(1, growthSizes[len(growthSizes)-1]/max(len(b), 1))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := cpuTime()
			for range n {
				_ = o.read(b)
			}
			took := cpuTime() - start
			runtime.ReadMemStats(&after)
			if round == 0 || took < g.times[i] {
				g.times[i] = took
			}
			g.allocated[i] = after.TotalAlloc - before.TotalAlloc
		}
	}
	return g
}
