package lobbywire

import (
	"context"
	"iter"
	"net/netip"
	"sync"
	"time"
)

// A ScanResult is the outcome of a query to a game server, in one form for all
// protocols.
type ScanResult struct {
	Protocol string         // the codec package, such as "sqp"
	Query    netip.AddrPort // the address that was queried; not valid if the scan has ended early

	// View is empty if Err is not nil. Its Port is known if the protocol has a rule
	// for it, even if the server does not tell.
	View View

	// Answer is the answer of the protocol, such as sqp.QueryResponse; nil if Err is
	// not nil.
	Answer any

	Partial  bool          // parts of the answer are missing
	RTT      time.Duration // of the last round trip
	Attempts int

	// Err is [ErrTimeout] or [ErrLost] if there is no answer. If a request cannot be
	// sent, it is the error of the system.
	Err error
}

// A Scanner queries game servers of one protocol: the clients of sqpnet, gamespy2net
// and gameagentnet do.
type Scanner interface {
	// ScanViews queries targets, which are query ports, and yields results as they
	// arrive, in no order. It reads targets only as fast as it queries them. It ends
	// early if ctx is done or no socket can be opened; the last result then has that
	// error and no Query.
	ScanViews(ctx context.Context, targets iter.Seq[netip.AddrPort]) iter.Seq[ScanResult]
}

// A Scan is targets of one protocol.
type Scan struct {
	Scanner Scanner
	Targets iter.Seq[netip.AddrPort]
}

// waitingResults is how many results ScanAll holds, so that scans do not wait while
// the caller handles a burst of them.
const waitingResults = 256

// ScanAll makes several scans at the same time, for servers of several protocols, and
// yields all results as they arrive. If the caller breaks off, all scans end.
//
// The goroutines of ScanAll call Targets, each its own, and end before the iteration
// does.
func ScanAll(ctx context.Context, scans ...Scan) iter.Seq[ScanResult] {
	return func(yield func(ScanResult) bool) {
		ctx, cancel := context.WithCancel(ctx)
		results := make(chan ScanResult, waitingResults)
		var running sync.WaitGroup
		for _, s := range scans {
			running.Go(func() {
				for r := range s.Scanner.ScanViews(ctx, s.Targets) {
					results <- r
				}
			})
		}
		go func() {
			running.Wait()
			close(results)
		}()
		defer func() {
			cancel()
			for range results { // until all scans have ended
			}
		}()
		for r := range results {
			if !yield(r) {
				return
			}
		}
	}
}
