package gameagentnet

import (
	"context"
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
	// there were more than [gameagent.MaxServers]. A lost datagram cannot be
	// detected.
	Partial bool

	MasterIP netip.Addr    // the address that the list came from
	RTT      time.Duration // from the request to the end of the list
	Attempts int
}

// Targets returns the query addresses of the servers, for Scan and ScanViews, as
// [lobbywire.ListResult.Targets] chooses them. Servers whose port has no next one have none.
func (l Listing) Targets(ctx context.Context) (iter.Seq[netip.AddrPort], lobbywire.LeftOut) {
	r := lobbywire.ListResult{MasterIP: l.MasterIP}
	for _, game := range l.Servers {
		if query, err := gameagent.QueryAddr(game); err == nil {
			r.Servers = append(r.Servers, lobbywire.Listed{Query: query})
		}
	}
	return r.Targets(ctx)
}

// Views returns the views of the servers, which have only addresses.
func (l Listing) Views() []lobbywire.View {
	views := make([]lobbywire.View, len(l.Servers))
	for i, game := range l.Servers {
		views[i] = lobbywire.View{Host: game.Addr().String(), Port: game.Port()}
	}
	return views
}
