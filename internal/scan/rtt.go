package scan

import "time"

// rtt estimates how long round trips take, as TCP does (RFC 6298), by a smoothed mean
// and deviation.
type rtt struct {
	mean, deviation time.Duration
	known           bool
}

func (r *rtt) add(sample time.Duration) {
	if !r.known {
		*r = rtt{mean: sample, deviation: sample / 2, known: true}
		return
	}
	r.deviation += ((sample - r.mean).Abs() - r.deviation) / 4
	r.mean += (sample - r.mean) / 8
}

// likely returns the time in which nearly every answer arrives, at least low and at
// most high. It returns high before the first sample.
func (r *rtt) likely(low, high time.Duration) time.Duration {
	if !r.known {
		return high
	}
	return min(max(r.mean+4*r.deviation, low), high)
}
