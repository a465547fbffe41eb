package lobbywire

import (
	"context"
	"iter"
	"net/netip"
	"time"
)

// A ScanResult is the outcome of a query to a game server. It has the same form
// for all protocols.
type ScanResult struct {
	Protocol string         // the codec package, such as "sqp"
	Form     string         // "legacy" if the protocol has two forms and this is the older one, otherwise ""
	Query    netip.AddrPort // the address that was queried; the zero value if Err is why a whole scan ended

	// View is empty if Err is not nil. If the server does not report its Port, it is
	// derived from the query port if the protocol has a rule for that.
	View View

	// Answer is the answer in the type of its protocol, such as sqp.QueryResponse;
	// nil if Err is not nil.
	Answer any

	Partial  bool          // parts of the answer are missing
	RTT      time.Duration // of the last round trip
	Attempts int

	// Err is [ErrTimeout], [ErrUnreadable] or [ErrLost] if there is no answer. If the
	// request could not be sent, it is the error of the operating system.
	Err error
}

// A Scanner queries game servers of one protocol. The clients of sqpnet, gamespy2net,
// gameagentnet and gamespy1net are Scanners.
type Scanner interface {
	// ScanViews queries targets, which are addresses with query ports, and yields
	// results as they arrive, in no particular order. It ends early if ctx is done, no
	// socket can be opened or targets is nil; the last result then has that error and
	// no Query.
	//
	// Another goroutine reads targets, a few hundred ahead of the queries. So targets
	// may block, for example to look up names, while the scan goes on. A scan ends at
	// once even if its targets are blocked; the goroutine that reads them ends when
	// they next yield.
	ScanViews(ctx context.Context, targets iter.Seq[netip.AddrPort]) iter.Seq[ScanResult]
}
