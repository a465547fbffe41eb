package gameagentnet

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
)

// A Listing is a master's list.
type Listing struct {
	// Servers are the addresses of games, each once, in the order of the wire.
	// Queries go to the next port, see [gameagent.QueryAddr]. Ports are as the
	// master sent them; 65535 has no next port.
	Servers []netip.AddrPort

	// Partial reports that the list may be incomplete: the deadline passed, or
	// there were more than gameagent.MaxServers. A lost datagram cannot be
	// detected.
	Partial bool

	RTT      time.Duration // from the request to the last datagram
	Attempts int
}

// Views returns the views of the servers, which have only addresses.
func (l Listing) Views() []lobbywire.View {
	views := make([]lobbywire.View, len(l.Servers))
	for i, game := range l.Servers {
		views[i] = lobbywire.View{Host: game.Addr().String(), Port: game.Port()}
	}
	return views
}
