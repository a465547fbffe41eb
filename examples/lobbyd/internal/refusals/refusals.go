// Package refusals remembers why servers and games are not listed, or not yet, so that
// their operators can find out.
//
// It keeps the latest refusals of each prefix, an IPv4 /24 or an IPv6 /48, and of as many
// prefixes as fit. Refusals of peers whose address is not proved, such as a datagram with
// the name of an unknown game, have separate places, so that a flood of forged datagrams
// does not displace the others. Refusals that do not mean a failed registration have
// separate places, too: heartbeats whose challenge has no answer yet, and requests of
// other protocols. Refusals that do not fit are counted.
package refusals

import (
	"maps"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/admission"
)

// A Refusal is one or several refusals of a server with the same reason.
type Refusal struct {
	Server string // of lobbyd, such as "gamespy"
	From   netip.AddrPort
	Source uint16 // the port that the heartbeat came from, if it may be another one; see [lobbywire.Refusal]
	Reason lobbywire.Reason
	Game   string // as the server named it
	Text   string // a sentence
	Last   time.Time
	Before time.Time // the one before the last; zero if there is none
	Count  int
}

func (x Refusal) at() (netip.Addr, time.Time) { return x.From.Addr(), x.Last }

func (x Refusal) after(old Refusal) (Refusal, bool) {
	x.Count, x.Before = x.Count+old.Count, old.Last
	return x, old.Server == x.Server && old.From == x.From && old.Reason == x.Reason
}

// A Recent holds the latest refusals. Its zero value is ready.
type Recent struct {
	// Warnings gets the refusals. nil discards them.
	Warnings *admission.Warnings

	mu      sync.Mutex
	proved  byPrefix[Refusal]
	claimed byPrefix[Refusal] // by peers that may have another address
	quiet   byPrefix[Refusal] // see isQuiet
	left    byPrefix[Departure]
	counts  map[lobbywire.Reason]uint64 // without pending servers
	missed  missed
}

// Of returns a function for the field Refused of a master. The server is one of lobbyd. If
// it accepts connections, their peers have proved their addresses.
func (b *Recent) Of(server string, hasConns bool) func(r lobbywire.Refusal) {
	return func(r lobbywire.Refusal) { b.add(server, hasConns || isLimit(r.Reason), r) }
}

// Silent is Of for a server that logs its refusals itself.
func (b *Recent) Silent(server string) func(r lobbywire.Refusal) {
	return func(r lobbywire.Refusal) { b.keep(server, true, r) }
}

// isLimit reports whether a reason is a limit, which only proved servers reach.
func isLimit(r lobbywire.Reason) bool {
	return r >= lobbywire.ReasonFull && r <= lobbywire.ReasonConnsPrefix
}

// isQuiet reports whether a reason is not in the log, because an operator need not act.
func isQuiet(r lobbywire.Reason) bool { return r.Pending() || r == lobbywire.ReasonProtocol }

func (b *Recent) add(server string, isProved bool, r lobbywire.Refusal) {
	x := b.keep(server, isProved, r)
	if b.Warnings != nil && !isQuiet(r.Reason) {
		b.Warnings.Warn("not listed", r.Reason.String(), x.From.Addr(),
			"server", server, "from", x.From.String(), "why", x.Text)
	}
}

// keep adds a refusal, and returns it.
func (b *Recent) keep(server string, isProved bool, r lobbywire.Refusal) Refusal {
	from := netip.AddrPortFrom(r.From.Addr().Unmap().WithZone(""), r.From.Port())
	x := Refusal{
		Server: server, From: from, Source: r.Source, Reason: r.Reason, Game: r.Game, Text: textOf(r), Last: time.Now(),
		Count: 1,
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.counts == nil {
		b.counts = make(map[lobbywire.Reason]uint64)
	}
	if !r.Reason.Pending() {
		b.counts[r.Reason]++
	}
	on := &b.claimed
	switch {
	case isQuiet(r.Reason):
		on = &b.quiet
	case isProved:
		on = &b.proved
	}
	b.missed.add(r.Missed+uint64(on.add(x)), x.Last)
	return x
}

// From returns the refusals of an address, the latest first. It omits pending ones once
// anything else is known about the server.
func (b *Recent) From(addr netip.Addr) []Refusal {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := latestFirst(slices.Concat(b.quiet.from(addr), b.proved.from(addr), b.claimed.from(addr)))
	later := make(map[place]bool)
	return slices.DeleteFunc(all, func(x Refusal) bool {
		at := place{x.Server, x.From.Port()}
		isOver := x.Reason.Pending() && (later[at] || at.port == 0 && later[place{server: at.server}])
		if x.Reason != lobbywire.ReasonProtocol { // which is about another server, or none
			later[at], later[place{server: at.server}] = true, true
		}
		return isOver
	})
}

// A place is a port of an address at a server of lobbyd, or all ports if it is 0.
type place struct {
	server string
	port   uint16
}

// Missed returns the number of refusals that were only counted, since a time, or 0
// if there were none lately.
func (b *Recent) Missed() (n uint64, since time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.missed.add(0, time.Now())
	return b.missed.count, b.missed.since
}

// Counts returns the number of refusals by reason.
func (b *Recent) Counts() map[lobbywire.Reason]uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Clone(b.counts)
}
