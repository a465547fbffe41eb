package refusals

import (
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// A Departure is the end of a server or game that was listed, or hidden.
type Departure struct {
	Entry *catalogue.Entry // as it was last
	Heard time.Time        // when it last sent something
	Until time.Time        // when it left the lists
	Why   string           // the end of a sentence, such as "it said goodbye"
}

func (d Departure) at() (netip.Addr, time.Time) { return hostOf(d.Entry), d.Until }

func (d Departure) after(old Departure) (Departure, bool) {
	return d, old.Entry.Family == d.Entry.Family && old.Entry.At == d.Entry.At
}

func hostOf(e *catalogue.Entry) netip.Addr { return e.At.Addr().Unmap().WithZone("") }

// Left adds a server that has left the lists. It ends pending refusals from before its
// listing.
func (b *Recent) Left(d Departure) {
	if !d.Entry.At.IsValid() {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left.add(d)
	pending := b.quiet.of(hostOf(d.Entry))
	pending.events = slices.DeleteFunc(pending.events, func(x Refusal) bool {
		return x.Reason.Pending() && x.IsOver(d.Entry, d.Heard)
	})
}

// LeftFrom returns the servers of an address that have left the lists, the latest first.
func (b *Recent) LeftFrom(addr netip.Addr) []Departure {
	b.mu.Lock()
	defer b.mu.Unlock()
	return latestFirst(b.left.from(addr))
}

// IsOver reports whether a refusal is about a server that is or was registered, and that was heard
// since. A NAT may have changed the port that the server has named; it is then listed at the source
// of its heartbeats. A refusal without a port is about any server of the host. The refusal of a
// proxy is never over, because servers are listed at the address of the proxy.
func (x Refusal) IsOver(e *catalogue.Entry, heard time.Time) bool {
	at := e.At
	if e.Query.IsValid() {
		at = e.Query
	}
	isServer := x.From.Addr() == hostOf(e) &&
		(x.From.Port() == 0 || x.From.Port() == at.Port() || x.Source != 0 && x.Source == at.Port())
	return x.Reason != lobbywire.ReasonProxy && familyOf(x.Server) == e.Family && isServer && !heard.Before(x.Last)
}

// familyOf returns the family of a server of lobbyd.
func familyOf(server string) catalogue.Family {
	switch server {
	case "gameagent":
		return catalogue.GameAgent
	case "gamespy":
		return catalogue.GameSpy
	case "bomberman":
		return catalogue.Bomberman
	}
	return catalogue.Warzone
}
