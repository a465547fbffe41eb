package nettest

import (
	"time"
	"unsafe"
)

// SetClock returns now, which time.Now has returned, as it would have been if
// the clock of the machine had been set forward by d, or back: only the wall
// clock differs, and the monotonic reading is the same.
func SetClock(now time.Time, d time.Duration) time.Time {
	const (
		hasMonotonic = 1 << 63
		secondsShift = 30
	)
	wall := (*uint64)(unsafe.Pointer(&now)) // the first field of a Time, see package time
	if *wall&hasMonotonic != 0 {
		*wall += uint64(d/time.Second) << secondsShift
	}
	return now
}
