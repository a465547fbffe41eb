package limit

import (
	"net/netip"
	"sync/atomic"
	"time"
)

// Charge counts n events of a source that have happened, such as steps of work that is not
// known in advance. It takes more than buckets hold if need be; they then refuse until
// they have made up for it. What it takes from a bucket at a time is what that holds at most.
func (l *Limiter) Charge(from netip.Addr, n int, now time.Time) {
	var buf [maxChecks]check
	in := l.started(now)
	_, t, checks := l.checks(&buf, in, from, n, now)
	for i := range checks {
		for _, bucket := range checks[i].buckets {
			checks[i].scale.charge(bucket, checks[i].cost, t)
		}
	}
	in.all.charge(&l.global, in.all.cost(n), t)
}

// charge takes tokens from a bucket at the time now, whether it has them or not.
func (s scale) charge(bucket *atomic.Int64, cost, now int64) {
	if s.room <= 0 {
		return
	}
	for {
		full := bucket.Load()
		if bucket.CompareAndSwap(full, max(full, now)+cost) {
			return
		}
	}
}
