package bench

import "time"

// Usage is what a process has used since it started, or between two times.
type Usage struct {
	CPU    time.Duration `json:"cpu"` // of all its threads, in the kernel too
	Allocs uint64        `json:"allocs"`
}

// Minus returns what was used since v.
func (u Usage) Minus(v Usage) Usage { return Usage{u.CPU - v.CPU, u.Allocs - v.Allocs} }

// Per returns the part of d, in microseconds, that each of n has.
func Per(d time.Duration, n int) float64 {
	return float64(d) / float64(time.Microsecond) / float64(n)
}
