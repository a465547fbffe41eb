// Package limit bounds how often peers are served, by token buckets for sources,
// for their prefixes and in total.
package limit

import (
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/source"
)

// A Rate allows a burst of events, and then a number of events each second.
type Rate struct {
	PerSecond int64
	Burst     int64
}

// A Limiter bounds how often sources are answered, in fixed memory whatever
// the number of sources. A source is an IPv4 address or an IPv6 /64. Its prefix is
// an IPv4 /24 or an IPv6 /48; a /56 gets half of what a /48 gets.
type Limiter struct {
	PerSource Rate
	PerPrefix Rate // the zero Rate does not limit
	Global    Rate

	// Proven are prefixes for which a quarter of Global is kept: when no more than that
	// is left, only their sources are answered. nil keeps nothing.
	Proven *Proven

	// Proves gets the prefixes of the sources that are allowed, if their addresses are
	// verified. nil gets none. If Proven is set too, both must be the same.
	Proves *Proven

	once    sync.Once
	key     key
	epoch   time.Time // times of buckets count from here, by the monotonic clock
	scales  atomic.Pointer[scales]
	global  atomic.Int64
	sources table
	refused atomic.Uint64
}

// Set sets the rates to limits, with the defaults for zero fields. The default for a
// prefix is never below the rate of a source.
func (l *Limiter) Set(limits, defaults lobbywire.Rates) { l.Begin(RatesOf(limits, defaults)) }

func (l *Limiter) init(now time.Time) {
	l.key, l.epoch = newKey(), now
	for _, p := range []*Proven{l.Proven, l.Proves} {
		if p != nil {
			l.key, l.epoch = p.start(now) // so that its hashes and times are the same
		}
	}
	l.scales.Store(l.scalesFor(Rates{l.PerSource, l.PerPrefix, l.Global}, nil))
}

// Allow reports whether from may be answered now, and counts it if so.
func (l *Limiter) Allow(from netip.Addr, now time.Time) bool { return l.AllowN(from, 1, now) }

// AllowN is Allow for an answer that counts as n events. An answer that counts
// as more than a bucket holds takes a full bucket.
//
// If one limit refuses, no limit is charged: a source above its own limit uses up
// nothing of its prefix, and a prefix nothing of the total.
func (l *Limiter) AllowN(from netip.Addr, n int, now time.Time) bool {
	if !l.allow(from, n, now, toAll) {
		l.refused.Add(1)
		return false
	}
	return true
}

// AllowSome returns how many of up to n events it allows: n, or only one if the source
// may not have more now or if less than half of Global is left.
func (l *Limiter) AllowSome(from netip.Addr, n int, now time.Time) int {
	switch {
	case n > 1 && l.allow(from, n, now, toSeveral):
		return n
	case l.allow(from, 1, now, toAll):
		return 1
	}
	l.refused.Add(1)
	return 0
}

// allow takes from the total what the source's prefix may: if it is not proven, as much as
// others leave.
func (l *Limiter) allow(from netip.Addr, n int, now time.Time, what events) bool {
	var buf [maxChecks]check
	in := l.started(now)
	prefix, t, checks := l.checks(&buf, in, from, n, now)
	others := &in.strangers
	if what == toSeveral {
		others = &in.several
	}
	for i := range checks {
		if !checks[i].hasRoom(t) {
			return false
		}
	}
	if !others.take(&l.global, others.cost(n), t) && !l.takeReserved(in, prefix, n, t) {
		return false
	}
	for i := range checks {
		checks[i].take(t)
	}
	if l.Proves != nil {
		l.Proves.add(prefix, t)
	}
	return true
}

// takeReserved takes n events from the part of the total that is kept for proven prefixes.
func (l *Limiter) takeReserved(in *scales, prefix uint64, n int, t int64) bool {
	return l.Proven != nil && l.Proven.has(prefix, t) && in.all.take(&l.global, in.all.cost(n), t)
}

// started returns the scales. The first call makes now the epoch.
func (l *Limiter) started(now time.Time) *scales {
	l.once.Do(func() { l.init(now) })
	return l.scales.Load()
}

// checks returns the hash of the prefix of a source, the time, and the checks of n events
// in buf.
func (l *Limiter) checks(
	buf *[maxChecks]check, in *scales, from netip.Addr, n int, now time.Time,
) (prefix uint64, t int64, checks []check) {
	block := source.Of(from)
	prefix = l.key.hash(source.Prefix(block))
	buf[0].find(&l.sources, l.key.hash(block), in.source, n)
	checks = buf[:1]
	if in.prefixes != nil {
		buf[1].find(in.prefixes, prefix, in.prefix, n)
		checks = buf[:2]
		if !source.IsIPv4(block) {
			buf[2].find(in.prefixes, l.key.hash(prefix56(block)), in.prefix56, n)
			checks = buf[:3]
		}
	}
	return prefix, int64(now.Sub(l.epoch)), checks
}

// Refused returns how many answers were not allowed.
func (l *Limiter) Refused() uint64 { return l.refused.Load() }

// A check is the limit on a source or on one of its prefixes.
type check struct {
	scale   scale
	cost    int64
	buckets [rows]*atomic.Int64
}

// maxChecks is the number of checks of an IPv6 address.
const maxChecks = 3

// find sets the check for n events of what has the hash.
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

// A table has the buckets of sources or prefixes: for each the time at which it is
// full again, in nanoseconds. Every source has one bucket in each row, chosen by
// independent hashes and shared with other sources. It passes if either has room, so
// a flood from some sources rarely affects others.
type table [rows][buckets]atomic.Int64

const (
	rows    = 2
	buckets = 1 << 13
)

// prefix56 returns the /56 of an IPv6 source, in a form that is no /48.
func prefix56(from uint64) uint64 { return from | 0xff }

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

// leaving returns the scale for a taker that must leave some tokens in the bucket. What
// takes more than the rest takes all of the rest.
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
