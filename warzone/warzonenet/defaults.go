package warzonenet

import "time"

// positiveOr returns v, or byDefault unless v is positive. A negative time-out or
// limit would only make everything fail.
func positiveOr[T int | time.Duration](v, byDefault T) T {
	if v > 0 {
		return v
	}
	return byDefault
}
