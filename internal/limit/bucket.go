package limit

import (
	"sync/atomic"
	"time"
)

// A Rate allows a burst of events, and then a number of events each second.
type Rate struct {
	PerSecond int64
	Burst     int64
}

// A check is the limit on a source or on one of its prefixes.
type check struct {
	scale   scale
	cost    int64
	buckets [rows]*atomic.Int64
}

// maxChecks is the number of checks of an IPv6 address.
const maxChecks = 3

// find sets the check for n events of the source or prefix with the hash.
func (c *check) find(t *table, hash uint64, s scale, n int) {
	c.scale, c.cost = s, s.cost(n)
	for i := range c.buckets {
		c.buckets[i] = &t[i][hash%buckets]
		hash /= buckets // other bits for the other row
	}
}

// hasRoom reports whether one of the buckets has room.
func (c *check) hasRoom(now int64) bool {
	return c.scale.hasRoom(c.buckets[0].Load(), c.cost, now) || c.scale.hasRoom(c.buckets[1].Load(), c.cost, now)
}

// take takes from the buckets that have room.
func (c *check) take(now int64) {
	for _, bucket := range c.buckets {
		c.scale.take(bucket, c.cost, now)
	}
}

// A table contains the buckets of sources or prefixes: for each the time at which it is
// full again, in nanoseconds. Every source has one bucket in each row, chosen by
// independent hashes and shared with other sources. It passes if either has room, so
// a flood from some sources rarely affects others.
type table [rows][buckets]atomic.Int64

const (
	rows    = 2
	buckets = 1 << 13
)

// A scale is a Rate in nanoseconds.
type scale struct {
	each  int64 // of a token
	burst int64 // tokens of a full bucket
	room  int64 // of a full bucket; 0 lets nothing pass, -1 everything
}

func (r Rate) scale() scale {
	if r.PerSecond <= 0 {
		return scale{}
	}
	each, burst := int64(time.Second)/r.PerSecond, max(r.Burst, 1)
	if each == 0 {
		return scale{room: -1} // beyond the resolution of a clock
	}
	return scale{each, burst, each * burst}
}

// half returns half the rate.
func (r Rate) half() Rate { return Rate{PerSecond: (r.PerSecond + 1) / 2, Burst: (r.Burst + 1) / 2} }

// leaving returns the scale for a taker that must leave some tokens in the bucket. A
// request for more than the rest takes all of the rest.
func (s scale) leaving(tokens int64) scale {
	if s.room <= 0 {
		return s
	}
	return scale{s.each, s.burst - tokens, s.room - s.each*tokens}
}

// cost returns what n tokens cost, or all tokens if the bucket has fewer.
func (s scale) cost(n int) int64 { return s.each * min(int64(n), s.burst) }

// hasRoom reports whether a bucket that is full at the time full has the tokens at
// the time now.
func (s scale) hasRoom(full, cost, now int64) bool {
	if s.room <= 0 {
		return s.room < 0
	}
	return max(full, now)+cost-now <= s.room
}

// take takes tokens from a bucket at the time now if it has them. The bucket is
// the time at which it will be full; each token that is taken makes that later.
func (s scale) take(bucket *atomic.Int64, cost, now int64) bool {
	for {
		full := bucket.Load()
		if !s.hasRoom(full, cost, now) {
			return false
		}
		if s.room < 0 || bucket.CompareAndSwap(full, max(full, now)+cost) {
			return true
		}
	}
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
