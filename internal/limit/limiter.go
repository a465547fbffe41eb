// Package limit bounds how often peers are served, by token buckets for sources,
// for their prefixes and in total.
package limit

import (
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire/internal/source"
)

// A Limiter bounds how often sources are answered, in fixed memory whatever
// the number of sources. A source is an IPv4 address or an IPv6 /64. Its prefix is
// an IPv4 /24 or an IPv6 /48; a /56 gets half of what a /48 gets.
type Limiter struct {
	Rates // change only by Set once the Limiter is used

	// Proven are prefixes for which a quarter of Global is kept: when no more than that
	// is left, only their sources are answered. nil keeps nothing.
	Proven *Proven

	// Proves gets the prefixes of the sources that are allowed, if their addresses are
	// verified. nil gets none. If Proven is set too, both must be the same.
	Proves *Proven

	setting sync.Mutex // guards Rates, and the scales made of them
	scales  atomic.Pointer[scales]
	key     key
	epoch   time.Time // times of buckets count from here, by the monotonic clock
	global  atomic.Int64
	sources table
	refused atomic.Uint64
}

// Set sets the rates, also while other goroutines call Allow. What sources have used up
// still counts.
func (l *Limiter) Set(r Rates) {
	l.setting.Lock()
	defer l.setting.Unlock()
	l.Rates = r
	if before := l.scales.Load(); before != nil {
		l.scales.Store(newScales(r, l.Proven != nil, before.prefixes))
	}
}

// Allow reports whether from may be answered now, and counts it if so.
func (l *Limiter) Allow(from netip.Addr, now time.Time) bool { return l.AllowN(from, 1, now) }

// AllowN is Allow for an answer that counts as n events. An answer that counts
// as more than a bucket holds takes a full bucket.
//
// A refused answer is charged to no limit.
func (l *Limiter) AllowN(from netip.Addr, n int, now time.Time) bool {
	if !l.allow(from, n, now, toAll) {
		l.refused.Add(1)
		return false
	}
	return true
}

// AllowSome returns how many of up to n events it allows: n, or one if the source may not
// have more now or if less than half of Global is left, or none.
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

// Charge counts n events of a source that have happened, such as steps of work that is not
// known in advance. Buckets may go into debt, and refuse until it is repaid. One call takes no
// more from a bucket than the bucket can hold.
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

// events are the units that Allow and AllowSome count.
type events uint8

const (
	toAll     events = iota // the total keeps a part of them for proven prefixes
	toSeveral               // it keeps half of them for others
)

// allow charges n events to all limits, or refuses them. A prefix that is not proven cannot use
// the reserved part of the total.
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
	if in := l.scales.Load(); in != nil {
		return in
	}
	return l.start(now)
}

func (l *Limiter) start(now time.Time) *scales {
	l.setting.Lock()
	defer l.setting.Unlock()
	if in := l.scales.Load(); in != nil {
		return in // another goroutine was first
	}
	l.key, l.epoch = newKey(), now
	for _, p := range []*Proven{l.Proven, l.Proves} {
		if p != nil {
			l.key, l.epoch = p.start(now) // so that its hashes and times are the same
		}
	}
	in := newScales(l.Rates, l.Proven != nil, nil)
	l.scales.Store(in)
	return in
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
			buf[2].find(in.prefixes, l.key.hash(block56(block)), in.prefix56, n)
			checks = buf[:3]
		}
	}
	return prefix, int64(now.Sub(l.epoch)), checks
}

// block56 returns the /56 of an IPv6 source, in a form that is no /48.
func block56(from uint64) uint64 { return from | 0xff }

// Refused returns how many answers were not allowed.
func (l *Limiter) Refused() uint64 { return l.refused.Load() }
