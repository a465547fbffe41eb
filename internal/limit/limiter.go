// Package limit bounds how often peers are served, by token buckets for sources,
// for their prefixes and in total.
package limit

import (
	"cmp"
	"hash/maphash"
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

// rate returns n a second after as many at once, with byDefault for a zero n.
func rate(n, byDefault int) Rate {
	perSecond := int64(cmp.Or(n, byDefault))
	return Rate{PerSecond: perSecond, Burst: perSecond}
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

	once     sync.Once
	seed     maphash.Seed
	epoch    time.Time // times of buckets count from here, by the monotonic clock
	global   atomic.Int64
	sources  table
	prefixes *table // nil if PerPrefix does not limit
	refused  atomic.Uint64
}

// Set sets the rates to limits, with the defaults for zero fields. The default for a
// prefix is never below the rate of a source.
func (l *Limiter) Set(limits, defaults lobbywire.Rates) {
	l.PerSource = rate(limits.PerSource, defaults.PerSource)
	if defaults.PerPrefix > 0 {
		defaults.PerPrefix = max(defaults.PerPrefix, limits.PerSource)
	}
	l.PerPrefix = rate(limits.PerPrefix, defaults.PerPrefix)
	l.Global = rate(limits.Global, defaults.Global)
}

func (l *Limiter) init(now time.Time) {
	l.seed = maphash.MakeSeed()
	l.epoch = now
	if l.PerPrefix != (Rate{}) {
		l.prefixes = new(table)
	}
}

// Allow reports whether from may be answered now, and counts it if so.
func (l *Limiter) Allow(from netip.Addr, now time.Time) bool { return l.AllowN(from, 1, now) }

// AllowN is Allow for an answer that counts as n events. An answer that counts
// as more than a bucket holds takes a full bucket.
//
// If one limit refuses, no limit is charged: a source above its own limit uses up
// nothing of its prefix, and a prefix nothing of the total.
func (l *Limiter) AllowN(from netip.Addr, n int, now time.Time) bool {
	t, checks := l.checks(from, n, now)
	for i := range checks {
		if c := &checks[i]; c.applies() && !c.find(l.seed, t) {
			l.refused.Add(1)
			return false
		}
	}
	if !l.takeGlobal(checks[0].block, n, now, t) {
		l.refused.Add(1)
		return false
	}
	for i := range checks {
		if c := &checks[i]; c.applies() {
			c.take(t)
		}
	}
	return true
}

// checks returns the time and the checks of n events of a source.
func (l *Limiter) checks(from netip.Addr, n int, now time.Time) (t int64, checks [3]check) {
	l.once.Do(func() { l.init(now) })
	block := source.Of(from)
	checks = [...]check{
		{scale: l.PerSource.scale(n), table: &l.sources, block: block},
		{scale: l.PerPrefix.scale(n), table: l.prefixes, block: source.Prefix(block)},
		{scale: l.PerPrefix.half().scale(n), table: l.prefixes, block: prefix56(block)},
	}
	if source.IsIPv4(block) {
		checks[2].table = nil // there is no /56
	}
	return int64(now.Sub(l.epoch)), checks
}

// takeGlobal takes n events from the total.
func (l *Limiter) takeGlobal(block uint64, n int, now time.Time, t int64) bool {
	all := l.Global.scale(n)
	if l.Proven == nil {
		return all.take(&l.global, t)
	}
	if all.leaving(l.Global.reserved()).take(&l.global, t) {
		return true
	}
	return l.Proven.has(source.Prefix(block), now) && all.take(&l.global, t)
}

// Refused returns how many answers were not allowed.
func (l *Limiter) Refused() uint64 { return l.refused.Load() }

// A check is the limit on a source or on one of its prefixes.
type check struct {
	scale
	table   *table // nil if there is no such limit
	block   uint64
	buckets [rows]*atomic.Int64
}

func (c *check) applies() bool { return c.table != nil }

// find finds the buckets of the block and reports whether one has room.
func (c *check) find(seed maphash.Seed, now int64) (room bool) {
	hash := maphash.Comparable(seed, c.block)
	for i := range c.buckets {
		c.buckets[i] = &c.table[i][hash%buckets]
		room = c.hasRoom(c.buckets[i].Load(), now) || room
		hash /= buckets // other bits for the other row
	}
	return room
}

// take takes from the buckets that have room.
func (c *check) take(now int64) {
	for _, bucket := range c.buckets {
		c.scale.take(bucket, now)
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
	cost int64 // of what is taken
	room int64 // of a bucket; 0 lets nothing pass, -1 everything
}

// scale returns the scale for taking n tokens.
func (r Rate) scale(n int) scale {
	if r.PerSecond <= 0 {
		return scale{}
	}
	each, burst := int64(time.Second)/r.PerSecond, max(r.Burst, 1)
	if each == 0 {
		return scale{room: -1} // beyond the resolution of a clock
	}
	return scale{cost: each * min(int64(n), burst), room: each * burst}
}

// half returns half the rate.
func (r Rate) half() Rate { return Rate{PerSecond: (r.PerSecond + 1) / 2, Burst: (r.Burst + 1) / 2} }

// reserved returns the part of a bucket for proven prefixes, in nanoseconds.
func (r Rate) reserved() int64 { return int64(time.Second) / max(r.PerSecond, 1) * (r.Burst / 4) }

// leaving returns the scale for a taker that must leave a part of the bucket. What takes
// more than the rest takes all of the rest.
func (s scale) leaving(part int64) scale {
	if s.room <= 0 {
		return s
	}
	return scale{cost: min(s.cost, s.room-part), room: s.room - part}
}

// hasRoom reports whether a bucket that is full at the time full has the tokens at
// the time now.
func (s scale) hasRoom(full, now int64) bool {
	if s.room <= 0 {
		return s.room < 0
	}
	return max(full, now)+s.cost-now <= s.room
}

// take takes tokens from a bucket at the time now if it has them. The bucket is
// the time at which it will be full; each token that is taken makes that later.
func (s scale) take(bucket *atomic.Int64, now int64) bool {
	for {
		full := bucket.Load()
		if !s.hasRoom(full, now) {
			return false
		}
		if s.room < 0 || bucket.CompareAndSwap(full, max(full, now)+s.cost) {
			return true
		}
	}
}
