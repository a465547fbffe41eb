package bench

import "time"

// Usage is the processor time and memory that a process has used since its start, or
// between two points in time.
type Usage struct {
	CPU    time.Duration `json:"cpu"` // user and system time of all threads
	Allocs uint64        `json:"allocs"`
}

// Minus returns the difference between u and v.
func (u Usage) Minus(v Usage) Usage { return Usage{u.CPU - v.CPU, u.Allocs - v.Allocs} }

// Per returns d divided by n, in microseconds.
func Per(d time.Duration, n int) float64 {
	return float64(d) / float64(time.Microsecond) / float64(n)
}
