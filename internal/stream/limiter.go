package stream

import (
	"net/netip"
	"sync"
	"time"
)

// A Rate is that of a token bucket: events a second, after a burst.
type Rate struct {
	PerSecond int
	Burst     int
}

// each returns how long a bucket takes to gain a token.
func (r Rate) each() time.Duration { return time.Second / time.Duration(r.PerSecond) }

// full returns how long an empty bucket takes to fill.
func (r Rate) full() time.Duration { return time.Duration(r.Burst) * r.each() }

// A Limiter bounds how often peers cause an event: those of an address, an IPv4
// address or an IPv6 /64; those of a prefix, an IPv4 /24 or an IPv6 /48; and all. All
// rates must be set, and must not change while it is used.
//
// It needs no memory for sources whose buckets are full. The Global rate bounds the
// number of the others.
type Limiter struct {
	PerAddress Rate
	PerPrefix  Rate
	Global     Rate

	mu      sync.Mutex
	buckets map[netip.Prefix]time.Time // when each is full again; of all peers at the zero Prefix
	swept   time.Time
}

// Allow reports whether an event that a causes is within the rates, and counts it if
// so. Peers without an address, as of Unix sockets, count only in total.
func (l *Limiter) Allow(a netip.Addr) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	l.sweep(now)
	var global, address, prefix netip.Prefix
	if !l.has(global, l.Global, now) {
		return false
	}
	if a.IsValid() {
		address, prefix = blocks(a)
		if !l.has(address, l.PerAddress, now) || !l.has(prefix, l.PerPrefix, now) {
			return false
		}
		l.take(address, l.PerAddress, now)
		l.take(prefix, l.PerPrefix, now)
	}
	l.take(global, l.Global, now)
	return true
}

// has reports whether a bucket has a token.
func (l *Limiter) has(block netip.Prefix, r Rate, now time.Time) bool {
	return l.buckets[block].Sub(now)+r.each() <= r.full()
}

// take takes a token from a bucket.
func (l *Limiter) take(block netip.Prefix, r Rate, now time.Time) {
	from := now
	if full := l.buckets[block]; full.After(now) {
		from = full
	}
	l.buckets[block] = from.Add(r.each())
}

// sweepEvery is how often full buckets are removed.
const sweepEvery = 10 * time.Second

// sweep removes full buckets now and then.
func (l *Limiter) sweep(now time.Time) {
	if l.buckets != nil && now.Sub(l.swept) < sweepEvery {
		return
	}
	if l.buckets == nil {
		l.buckets = make(map[netip.Prefix]time.Time)
	}
	l.swept = now
	for block, full := range l.buckets {
		if !full.After(now) {
			delete(l.buckets, block)
		}
	}
}
