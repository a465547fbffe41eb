package main

import (
	"fmt"
	"slices"
	"time"
)

// usage is what a process has used since it started, or between two times.
type usage struct {
	CPU    time.Duration `json:"cpu"` // of all its threads, in the kernel too
	Allocs uint64        `json:"allocs"`
}

func (u usage) minus(v usage) usage { return usage{u.CPU - v.CPU, u.Allocs - v.Allocs} }

// per returns the part of d, in microseconds, that each of n has.
func per(d time.Duration, n int) float64 { return float64(d) / float64(time.Microsecond) / float64(n) }

// A spread is what a number was in several rounds.
type spread struct {
	Min    float64 `json:"min"`
	Median float64 `json:"median"`
	Max    float64 `json:"max"`
}

// spreadOf returns the spread of values, of which there is one at least.
func spreadOf(values []float64) spread {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return spread{sorted[0], (sorted[(n-1)/2] + sorted[n/2]) / 2, sorted[n-1]}
}

// String returns, as an example, "0.98 (0.95 to 1.02)".
func (s spread) String() string { return fmt.Sprintf("%.2f (%.2f to %.2f)", s.Median, s.Min, s.Max) }

// ratios divides round by round.
func ratios(a, b []float64) []float64 {
	r := make([]float64, len(a))
	for i := range r {
		r[i] = a[i] / b[i]
	}
	return r
}
