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
	// Queries are the query addresses of the servers, without duplicates, in the order of
	// the wire. The wire carries the ports of the games: see [gameagent.QueryAddr].
	Queries []netip.AddrPort

	Skipped int // servers that are left out because their game port, 65535, leaves no query port

	// Partial reports that the list may be incomplete: the deadline passed, or
	// there were more than [gameagent.MaxServers]. A lost datagram cannot be
	// detected.
	Partial bool

	MasterIP netip.Addr    // the address that the list came from
	RTT      time.Duration // from the request to the end of the list
}

// Targets returns the query addresses, for Scan and ScanViews, as [lobbywire.ListResult.Targets]
// chooses them.
func (l Listing) Targets(ctx context.Context) (iter.Seq[netip.AddrPort], lobbywire.LeftOut) {
	return lobbywire.ListResult{MasterIP: l.MasterIP, Servers: l.listed(), Skipped: l.Skipped}.Targets(ctx)
}

// Views returns the servers in the common form, which contains only the addresses of the
// games.
func (l Listing) Views() []lobbywire.View {
	views := make([]lobbywire.View, len(l.Queries))
	for i, query := range l.Queries {
		game := gameagent.GameAddr(query)
		views[i] = lobbywire.View{Host: game.Addr().String(), Port: game.Port()}
	}
	return views
}

// listed returns the servers in the form that all protocols share.
func (l *Listing) listed() []lobbywire.Listed {
	all := make([]lobbywire.Listed, len(l.Queries))
	for i, v := range l.Views() {
		all[i] = lobbywire.Listed{Query: l.Queries[i], View: v, Entry: gameagent.GameAddr(l.Queries[i])}
	}
	return all
}
