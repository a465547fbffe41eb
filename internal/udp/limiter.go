package udp

import (
	"encoding/binary"
	"hash/maphash"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// A Rate is a token bucket's: so many events a second, after a burst.
type Rate struct {
	PerSecond int
	Burst     int
}

// A Limiter bounds how often sources are answered, in fixed memory whatever
// number of sources there is. A source is an IPv4 address or an IPv6 /64.
//
// Sources share buckets by two independent hashes and pass if either bucket
// lets them, so a flood from some sources hardly touches others.
type Limiter struct {
	PerSource Rate
	Global    Rate

	once    sync.Once
	seed    maphash.Seed
	global  atomic.Int64
	sources [rows][buckets]atomic.Int64 // when the bucket is full again, in nanoseconds
}

const (
	rows    = 2
	buckets = 1 << 13
)

// Allow tells whether from may be answered now, and counts it if so.
func (l *Limiter) Allow(from netip.Addr, now time.Time) bool { return l.AllowN(from, 1, now) }

// AllowN is Allow of an answer that counts as n events. What counts as more than
// a bucket holds takes a full one.
func (l *Limiter) AllowN(from netip.Addr, n int, now time.Time) bool {
	l.once.Do(func() { l.seed = maphash.MakeSeed() })
	hash := maphash.Comparable(l.seed, source(from))
	allowed := false
	for i := range l.sources {
		bucket := &l.sources[i][hash%buckets]
		allowed = l.PerSource.take(bucket, n, now) || allowed
		hash /= buckets // other bits for the other row
	}
	return allowed && l.Global.take(&l.global, n, now)
}

// source returns the part of an address that one owner is sure to have. IPv4
// addresses take the place of /64 that nobody has, those that begin with zeros.
func source(a netip.Addr) uint64 {
	if a = a.Unmap(); a.Is4() {
		b := a.As4()
		return uint64(binary.BigEndian.Uint32(b[:]))
	}
	b := a.As16()
	return binary.BigEndian.Uint64(b[:])
}

// take takes n tokens from a bucket, if they are there. The bucket is the time at
// which it will be full: one token's time later with each that is taken.
func (r Rate) take(bucket *atomic.Int64, n int, now time.Time) bool {
	if r.PerSecond <= 0 {
		return false
	}
	each, burst := int64(time.Second)/int64(r.PerSecond), max(r.Burst, 1)
	if each == 0 {
		return true // more than a clock can tell apart
	}
	cost := each * int64(min(n, burst))
	t := now.UnixNano()
	for {
		full := bucket.Load()
		next := max(full, t) + cost
		if next-t > each*int64(burst) {
			return false
		}
		if bucket.CompareAndSwap(full, next) {
			return true
		}
	}
}
