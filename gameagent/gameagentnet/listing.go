package gameagentnet

import (
	"iter"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
)

// A Listing is a master's list.
type Listing struct {
	// Servers are the addresses of games, each once, in the order of the wire.
	// Queries go to the next port, see [gameagent.QueryAddr]. Ports are as the
	// master sent them; the next port of 65535 does not exist.
	Servers []netip.AddrPort

	// Partial reports that the list may be incomplete: the deadline passed, or
	// there were more than gameagent.MaxServers. A lost datagram cannot be
	// detected.
	Partial bool

	RTT      time.Duration // from the request to the last datagram
	Attempts int
}

// Addrs returns the query addresses of the servers, for Scan and ScanViews. It leaves out
// servers whose port has no next one.
func (l Listing) Addrs() iter.Seq[netip.AddrPort] {
	return func(yield func(netip.AddrPort) bool) {
		for _, game := range l.Servers {
			if query, err := gameagent.QueryAddr(game); err == nil && !yield(query) {
				return
			}
		}
	}
}

// Views returns the views of the servers, which have only addresses.
func (l Listing) Views() []lobbywire.View {
	views := make([]lobbywire.View, len(l.Servers))
	for i, game := range l.Servers {
		views[i] = lobbywire.View{Host: game.Addr().String(), Port: game.Port()}
	}
	return views
}
