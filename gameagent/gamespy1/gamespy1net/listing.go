package gamespy1net

import (
	"context"
	"iter"
	"net/netip"
	"strconv"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
)

// A Listing is a master's list.
type Listing struct {
	Game string // whose servers are requested

	// Queries are the query addresses of the servers, without duplicates, in the order of
	// the wire.
	Queries []netip.AddrPort

	Skipped int // servers of a list in text that are left out because their address cannot be read

	// Partial reports that the list may be incomplete: the connection ended or the deadline
	// passed before the list ended, or it contains [gamespy1.MaxServers] servers or more.
	Partial bool

	MasterIP netip.Addr    // the address that the list came from
	RTT      time.Duration // from the request to the end of the list
}

// Targets returns the servers, for Scan and ScanViews, as [lobbywire.ListResult.Targets]
// chooses them.
func (l Listing) Targets(ctx context.Context) (iter.Seq[netip.AddrPort], lobbywire.LeftOut) {
	return lobbywire.ListResult{MasterIP: l.MasterIP, Servers: l.listed(), Skipped: l.Skipped}.Targets(ctx)
}

// Views returns the servers in the common form, which contains only addresses. Port is the
// port of the game, or 0 if it is unknown: see [gamespy1.GamePort].
func (l Listing) Views() []lobbywire.View {
	views := make([]lobbywire.View, len(l.Queries))
	for i, query := range l.Queries {
		views[i] = lobbywire.View{Host: query.Addr().String(), Port: gamespy1.GamePort(l.Game, query.Port())}
	}
	return views
}

// listed returns the servers in the form that all protocols share.
func (l *Listing) listed() []lobbywire.Listed {
	all := make([]lobbywire.Listed, len(l.Queries))
	for i, v := range l.Views() {
		all[i] = lobbywire.Listed{Query: l.Queries[i], View: v, Entry: l.Queries[i]}
	}
	return all
}

// unique returns the addresses without duplicates, in their order.
func unique(servers []netip.AddrPort) []netip.AddrPort {
	known := make(map[netip.AddrPort]bool, len(servers))
	all := make([]netip.AddrPort, 0, len(servers))
	for _, s := range servers {
		if !known[s] {
			known[s] = true
			all = append(all, s)
		}
	}
	return all
}

// A MasterError is the reason of a master for refusing a request.
type MasterError struct {
	Text string // as the master sent it
}

// Error returns the text in quotes.
func (e *MasterError) Error() string {
	return "gamespy1net: the master refuses: " + strconv.QuoteToASCII(e.Text)
}
