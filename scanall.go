package lobbywire

import (
	"context"
	"iter"
	"net/netip"
	"sync"
	"time"
)

// A ScanResult is the outcome of a query to a game server. It has the same form
// for all protocols.
type ScanResult struct {
	Protocol string         // the codec package, such as "sqp"
	Query    netip.AddrPort // the address that was queried; not valid in the result that reports an early end

	// View is empty if Err is not nil. If the server does not report its Port, the
	// View has the one that follows from the query port, where the protocol has a
	// rule for it.
	View View

	// Answer is the answer in the type of its protocol, such as sqp.QueryResponse;
	// nil if Err is not nil.
	Answer any

	Partial  bool          // parts of the answer are missing
	RTT      time.Duration // of the last round trip
	Attempts int

	// Err is [ErrTimeout] or [ErrLost] if there is no answer. If a request cannot be
	// sent, it is the error of the operating system.
	Err error
}

// A Scanner queries game servers of one protocol. The clients of sqpnet, gamespy2net
// and gameagentnet are Scanners.
type Scanner interface {
	// ScanViews queries targets, which are addresses with query ports, and yields
	// results as they arrive, in no particular order. It reads targets only as fast
	// as it queries them. It ends early if ctx is done or no socket can be opened;
	// the last result then has that error and no Query.
	ScanViews(ctx context.Context, targets iter.Seq[netip.AddrPort]) iter.Seq[ScanResult]
}

// A Scan is a Scanner and the targets that it queries.
type Scan struct {
	Scanner Scanner
	Targets iter.Seq[netip.AddrPort]
}

// waitingResults is how many results ScanAll holds, so that scans do not wait while
// the caller handles a burst of them.
const waitingResults = 256

// ScanAll runs several scans at once, such as one for each protocol, and yields their
// results as they arrive. If the caller leaves the loop, all scans end.
//
// ScanAll starts a goroutine for each scan, which iterates over its Targets. All of
// them end before the loop does.
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
