package servers

import (
	"sync"
	"time"
)

// A rate measures queries per minute from a counter that is read from time to time, at
// least once a minute.
type rate struct {
	mu   sync.Mutex
	from time.Time // the start of the current minute
	at   uint64    // the counter at that time
	last uint64    // queries in the last whole minute
}

// perMinute returns the queries in the last whole minute.
func (r *rate) perMinute(now time.Time, counter uint64) uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch passed := now.Sub(r.from); {
	case r.from.IsZero():
		r.from = now // the counter was 0 at the start
	case passed >= time.Minute:
		r.last = uint64(float64(counter-r.at) * float64(time.Minute) / float64(passed))
		r.from, r.at = now, counter
	}
	return r.last
}
