package warzonenet

import "time"

// positiveOr returns v if it is positive, and otherwise byDefault. A negative
// timeout or limit would only make everything fail.
func positiveOr[T int | time.Duration](v, byDefault T) T {
	if v > 0 {
		return v
	}
	return byDefault
}
