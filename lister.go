package lobbywire

import (
	"context"
	"errors"
	"net/netip"
	"time"
)

// A ListResult is the list of a master or lobby. It has the same form for all
// protocols.
type ListResult struct {
	Protocol string // the codec package, such as "gameagent"
	Form     string // as in [ScanResult]
	Master   string // the address of the master, as the caller gave it

	// MasterIP is the address that the list came from. It may be the zero value if no
	// server has a Query. It affects which servers are queried; see [LeftOut].
	MasterIP netip.Addr

	// Servers are in the order of the list. If Err is not nil, they are the servers that
	// arrived before the error.
	Servers []Listed

	Skipped int           // entries that are left out because they cannot be read
	Partial bool          // the list ended early and may contain more servers
	RTT     time.Duration // from the request to the end of the list

	// Err is [ErrTimeout], the master's reason for refusing the request, or an error of
	// the network or the codec.
	Err error
}

// A Listed is a game server on a list.
type Listed struct {
	// Query is the address at which the server answers queries. It is the zero value if the
	// protocol has no queries, or if the master marks the server as not open to queries.
	Query netip.AddrPort

	View  View   // the list's description of the server; at least Host and Port, if the list contains them
	ID    string // identifies a game whose address the lobby does not publish
	Entry any    // the entry in the type of its protocol, such as warzone.Game
}

// A Lister fetches the lists of masters or lobbies of one protocol. The clients of
// gamespy2net, gameagentnet, gamespy1net, bombermannet, warzonenet, wzhttpnet and proposalnet are
// Listers.
type Lister interface {
	// ListViews fetches the list of the master or lobby at addr. The client documents the
	// form of addr, and how often it sends a request. ListViews returns once ctx is done.
	ListViews(ctx context.Context, addr string) ListResult
}

// A List is a Lister and the address of the master or lobby whose list it fetches.
type List struct {
	Lister Lister
	Addr   string
}

var errNoLister = errors.New("lobbywire: the Lister is nil")

// fetch fetches the list, or returns an error if there is no Lister.
func (l List) fetch(ctx context.Context) ListResult {
	if l.Lister == nil {
		return ListResult{Master: l.Addr, Err: errNoLister}
	}
	return l.Lister.ListViews(ctx, l.Addr)
}
