// Package refusals passes the refusals of a master to its program, at limited rates.
package refusals

import (
	"net/netip"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/internal/source"
)

// A Reporter calls the function in the field Refused of a master. A nil Reporter does
// nothing.
type Reporter struct {
	To func(r lobbywire.Refusal) // nil does nothing

	once    sync.Once
	limiter *limit.Limiter // not a value: masters without Refused need no memory for it
}

func (r *Reporter) init() {
	r.limiter = new(limit.Limiter)
	r.limiter.Set(lobbywire.Rates{}, lobbywire.Rates{PerSource: 16, PerPrefix: 64, Global: 256})
}

// Report passes a refusal on, unless there were too many.
func (r *Reporter) Report(refusal lobbywire.Refusal) {
	if r == nil || r.To == nil {
		return
	}
	r.once.Do(r.init)
	if r.limiter.Allow(refusal.From.Addr(), time.Now()) {
		r.To(refusal)
	}
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
