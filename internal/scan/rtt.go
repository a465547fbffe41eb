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

// likely returns how long nearly every answer takes at most, between low and high. Before
// the first sample it is usual.
func (r *rtt) likely(low, usual, high time.Duration) time.Duration {
	t := usual
	if r.known {
		t = r.mean + 4*r.deviation
	}
	return min(max(t, low), high)
}
