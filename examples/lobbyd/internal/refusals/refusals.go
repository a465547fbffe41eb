// Package refusals remembers why servers and games were not listed, so that their
// operators can find out.
//
// It keeps the latest refusals of each prefix, an IPv4 /24 or an IPv6 /48, and of as many
// prefixes as fit. Refusals of peers whose address is not proved, such as a datagram with
// the name of an unknown game, have separate places, so that a flood of forged datagrams
// does not displace the others.
package refusals

import (
	"maps"
	"net/netip"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/warnings"
)

// A Refusal is one or several refusals of a server with the same reason.
type Refusal struct {
	Server string // of lobbyd, such as "gamespy"
	From   netip.AddrPort
	Reason lobbywire.Reason
	Text   string // a sentence
	Last   time.Time
	Count  int
}

// A Book has the latest refusals. Its zero value is ready.
type Book struct {
	// Warnings gets the refusals. nil discards them.
	Warnings *warnings.Log

	mu      sync.Mutex
	proved  shelf
	claimed shelf // by peers that may have another address
	counts  map[lobbywire.Reason]uint64
}

// Of returns a function for the field Refused of a master. The server is one of lobbyd. If
// it accepts connections, their peers have proved their addresses.
func (b *Book) Of(server string, hasConns bool) func(r lobbywire.Refusal) {
	return func(r lobbywire.Refusal) { b.add(server, hasConns || isLimit(r.Reason), r) }
}

// Silent is Of for a server that logs its refusals itself.
func (b *Book) Silent(server string) func(r lobbywire.Refusal) {
	return func(r lobbywire.Refusal) { b.keep(server, true, r) }
}

// isLimit reports whether a reason is a limit, which only proved servers reach.
func isLimit(r lobbywire.Reason) bool {
	return r >= lobbywire.ReasonFull && r <= lobbywire.ReasonConnsPrefix
}

func (b *Book) add(server string, isProved bool, r lobbywire.Refusal) {
	x := b.keep(server, isProved, r)
	if b.Warnings != nil {
		b.Warnings.Warn("not listed", r.Reason.String(), x.From.Addr(),
			"server", server, "from", x.From.String(), "why", x.Text)
	}
}

// keep adds a refusal, and returns it.
func (b *Book) keep(server string, isProved bool, r lobbywire.Refusal) Refusal {
	from := netip.AddrPortFrom(r.From.Addr().Unmap().WithZone(""), r.From.Port())
	x := Refusal{Server: server, From: from, Reason: r.Reason, Text: r.String(), Last: time.Now(), Count: 1}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.counts == nil {
		b.counts = make(map[lobbywire.Reason]uint64)
	}
	b.counts[r.Reason]++
	if isProved {
		b.proved.add(x)
	} else {
		b.claimed.add(x)
	}
	return x
}

// From returns the refusals of an address, the latest first.
func (b *Book) From(addr netip.Addr) []Refusal {
	b.mu.Lock()
	defer b.mu.Unlock()
	return latestFirst(append(b.proved.from(addr), b.claimed.from(addr)...))
}

// Counts returns the number of refusals by reason.
func (b *Book) Counts() map[lobbywire.Reason]uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Clone(b.counts)
}
