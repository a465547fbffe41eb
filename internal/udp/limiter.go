package udp

import (
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
)

// A Rate is that of a token bucket: events a second, after a burst.
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
// the number of sources. A source is an IPv4 address or an IPv6 /64, a prefix an
// IPv4 /24 or an IPv6 /48.
type Limiter struct {
	PerSource Rate
	PerPrefix Rate // the zero Rate does not limit
	Global    Rate

	once     sync.Once
	seed     maphash.Seed
	epoch    time.Time // times of buckets count from here, by the monotonic clock
	global   atomic.Int64
	sources  table
	prefixes *table // nil if PerPrefix does not limit
}

// Set sets the rates to limits, with the defaults for zero fields.
func (l *Limiter) Set(limits, defaults lobbywire.Rates) {
	l.PerSource = rate(limits.PerSource, defaults.PerSource)
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
func (l *Limiter) AllowN(from netip.Addr, n int, now time.Time) bool {
	l.once.Do(func() { l.init(now) })
	t, block := int64(now.Sub(l.epoch)), source(from)
	if !l.sources.take(l.PerSource.scale(n), maphash.Comparable(l.seed, block), t) {
		return false
	}
	if l.prefixes != nil && !l.prefixes.take(l.PerPrefix.scale(n), maphash.Comparable(l.seed, prefix(block)), t) {
		return false
	}
	return l.Global.scale(n).take(&l.global, t)
}

// A table holds the buckets of sources or prefixes: for each the time at which
// it is full again, in nanoseconds. They share buckets by two independent hashes
// and pass if either bucket lets them, so a flood from some hardly touches others.
type table [rows][buckets]atomic.Int64

const (
	rows    = 2
	buckets = 1 << 13
)

func (t *table) take(s scale, hash uint64, now int64) (allowed bool) {
	for i := range t {
		allowed = s.take(&t[i][hash%buckets], now) || allowed
		hash /= buckets // other bits for the other row
	}
	return allowed
}

// source returns the part of an address that surely has one owner. IPv4
// addresses take the place of the unassigned /64 that begin with zeros.
func source(a netip.Addr) uint64 {
	if a = a.Unmap(); a.Is4() {
		b := a.As4()
		return uint64(binary.BigEndian.Uint32(b[:]))
	}
	b := a.As16()
	return binary.BigEndian.Uint64(b[:])
}

// prefix returns the /24 or /48 of a source.
func prefix(source uint64) uint64 {
	if source>>32 == 0 {
		return source &^ 0xff
	}
	return source &^ 0xffff
}

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

// take takes tokens from a bucket at the time now if it has them. The bucket is
// the time at which it will be full; each token that is taken makes that later.
func (s scale) take(bucket *atomic.Int64, now int64) bool {
	if s.room <= 0 {
		return s.room < 0
	}
	for {
		full := bucket.Load()
		next := max(full, now) + s.cost
		if next-now > s.room {
			return false
		}
		if bucket.CompareAndSwap(full, next) {
			return true
		}
	}
}
