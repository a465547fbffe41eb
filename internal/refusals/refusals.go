// Package refusals passes the refusals of a master to its program, at limited rates.
package refusals

import (
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/internal/source"
)

// A Reporter calls the function in the field Refused of a master. A nil Reporter does
// nothing.
type Reporter struct {
	To func(r lobbywire.Refusal) // nil does nothing

	refused limiter
	pending limiter // separate, because anybody can forge heartbeats
	missed  atomic.Uint64
}

// Limits of refusals a second. They are higher for servers that are pending, because all
// servers are pending at first.
var (
	refusedRates = lobbywire.Rates{PerSource: 16, PerPrefix: 64, Global: 256}
	pendingRates = lobbywire.Rates{PerSource: 64, PerPrefix: 256, Global: 1024}
)

// A limiter makes the tables of a limit.Limiter at its first refusal: many masters never report
// a refusal of this kind.
type limiter struct {
	once   sync.Once
	tables *limit.Limiter
}

func (l *limiter) allow(from netip.Addr, rates lobbywire.Rates) bool {
	l.once.Do(func() {
		l.tables = new(limit.Limiter)
		l.tables.Set(limit.RatesOf(rates, lobbywire.Rates{}))
	})
	return l.tables.Allow(from, time.Now())
}

// Report passes a refusal on. If there were too many, it only counts it.
func (r *Reporter) Report(refusal lobbywire.Refusal) {
	if r == nil || r.To == nil {
		return
	}
	l, rates := &r.refused, refusedRates
	if refusal.Reason.Pending() {
		l, rates = &r.pending, pendingRates
	}
	if !l.allow(refusal.From.Addr(), rates) {
		r.missed.Add(1)
		return
	}
	refusal.Missed = r.missed.Swap(0)
	r.To(refusal)
}

// Full reports a server that is not listed because of a limit on the number of servers.
func (r *Reporter) Full(from netip.AddrPort, of source.Scope, limit int) {
	r.Report(lobbywire.Refusal{From: from, Reason: ReasonFull(of), Limit: limit})
}

// ReasonFull returns the reason for a limit on servers.
func ReasonFull(of source.Scope) lobbywire.Reason {
	switch of {
	case source.Address:
		return lobbywire.ReasonFullAddress
	case source.Network:
		return lobbywire.ReasonFullPrefix
	}
	return lobbywire.ReasonFull
}

// Conns reports a connection that is refused because of a limit on their number. Its port
// identifies nothing.
func (r *Reporter) Conns(from netip.Addr, of source.Scope, limit int) {
	reason := lobbywire.ReasonConns
	switch of {
	case source.Address:
		reason = lobbywire.ReasonConnsAddress
	case source.Network:
		reason = lobbywire.ReasonConnsPrefix
	}
	r.Report(lobbywire.Refusal{From: netip.AddrPortFrom(from, 0), Reason: reason, Limit: limit})
}
