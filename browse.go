package lobbywire

import (
	"context"
	"errors"
	"iter"
	"net/netip"
	"sync"
	"time"
)

// A Browser finds game servers at several sources.
type Browser struct {
	Sources []Source

	// Every is the time from the start of one round of Watch to the start of the next. 0
	// means 30 seconds. Less than 5 seconds means 5, because masters and servers expect no
	// more frequent requests.
	Every time.Duration

	// Ended, unless nil, is called when the list of a Source has arrived or failed, or when
	// its scan has failed. The goroutine that iterates over the Rows calls it, between two
	// of them. Servers on the list may not have answered yet. Watch calls it only if
	// something has changed since the last round.
	Ended func(end SourceEnd)

	mu        sync.Mutex
	refreshed chan struct{} // closed by Refresh
}

// A Source is where a [Browser] finds game servers: a list, targets to query, or both.
type Source struct {
	List List // if its Lister is nil, there is no list

	// Scanner queries the servers of the list, as [ListResult.Targets] chooses them, and
	// all Targets. If it is nil, only the list describes the servers.
	Scanner Scanner
	Targets iter.Seq[netip.AddrPort] // query addresses, as for [Scanner]; may be nil
}

// A SourceEnd reports the end of a list, or of a scan that failed.
type SourceEnd struct {
	Source   int           // index in the Sources of the Browser
	Protocol string        // as in [ScanResult]
	Form     string        // as in [ScanResult]
	Master   string        // the address of the list, "" if it is the end of a scan
	RTT      time.Duration // from the request to the end of the list
	Partial  bool          // parts of the list are missing
	LeftOut  LeftOut       // servers of the list that are not queried or not shown
	Err      error         // why the list or the scan failed
}

// maxServers is the maximum number of servers of a list that get rows, as many as the
// clients of this module accept.
const maxServers = 1 << 16

// waitingFindings is how many findings Browse holds, so that scans do not wait while the
// caller handles a burst of them.
const waitingFindings = 256

var errNoScanner = errors.New("the Scanner is nil")

// Browse fetches the lists of several sources at once, queries the servers on them, and
// yields servers as they answer. It yields a server that is queried when its query ends,
// even without an answer, and others when their list arrives, and yields a server again
// when more is known.
//
// The protocol and query address identify a server: it has one Row, even if several lists
// contain it, and only an answer from that address replaces the description in the first
// list. The rest is a claim: lists and answers can name any address where players join, so
// each server with the same Join has a Row of its own, and is Contested. A server that is
// not queried has one Row if the lists agree about its protocol, Join and View, and
// otherwise one for each claim. If a list contradicts itself, its first entry counts.
//
// [ListResult.Targets] decides which servers of a list are queried, and how fast, so a list
// cannot direct a flood at anyone. Source.Targets are the caller's own. The servers of a
// list beyond 65 536 are ignored, and the list is Partial.
//
// If the caller leaves the loop or ctx is done, all requests and scans end at once. Browse
// keeps all rows until then. It starts up to two goroutines for each source, which end
// before the loop does, except those that read blocked Targets; see [Scanner].
func (b *Browser) Browse(ctx context.Context) iter.Seq[Row] { return b.browse(ctx, b.Ended) }

func (b *Browser) browse(ctx context.Context, ended func(SourceEnd)) iter.Seq[Row] {
	return func(yield func(Row) bool) {
		ctx, cancel := context.WithCancel(ctx)
		findings := make(chan finding, waitingFindings)
		asked := &askedServers{known: make(map[queried]bool)}
		var running sync.WaitGroup
		for i, s := range b.Sources {
			if s.List.Lister != nil || s.Targets == nil {
				running.Go(func() {
					f := finding{source: i, list: new(s.List.fetch(ctx))}
					if len(f.list.Servers) > maxServers {
						f.list.Servers, f.list.Partial = f.list.Servers[:maxServers], true
					}
					var targets []netip.AddrPort
					if s.Scanner != nil {
						targets, f.leftOut = f.list.choose(ctx)
					}
					findings <- f
					if s.Scanner != nil {
						scanInto(ctx, findings, i, s.Scanner, paced(ctx, asked.add(ctx, f.list, targets)))
					}
				})
			}
			if s.Targets != nil {
				running.Go(func() { scanInto(ctx, findings, i, s.Scanner, s.Targets) })
			}
		}
		go func() {
			running.Wait()
			close(findings)
		}()
		defer func() {
			cancel()
			for range findings { // until all requests and scans have ended
			}
		}()
		t := table{byKey: make(map[string][]*server), byJoin: make(map[string][]*server)}
		for f := range findings {
			for row := range t.take(ctx, f) {
				if !yield(row) {
					return
				}
			}
			if end, ok := f.end(); ok && ended != nil {
				ended(end)
			}
		}
	}
}

// A finding is a list, or the result of a query.
type finding struct {
	source  int
	list    *ListResult
	leftOut []error    // why servers of the list are not queried; nil if there is no Scanner
	scan    ScanResult // unless list is set
}

// end returns the SourceEnd of a finding that is a list or a failed scan.
func (f *finding) end() (end SourceEnd, ok bool) {
	if l := f.list; l != nil {
		return SourceEnd{f.source, l.Protocol, l.Form, l.Master, l.RTT, l.Partial, l.leftOut(f.leftOut), l.Err}, true
	}
	r := f.scan
	return SourceEnd{Source: f.source, Protocol: r.Protocol, Form: r.Form, Err: r.Err}, !r.Query.IsValid()
}

// scanInto sends the results of a scan to findings.
func scanInto(ctx context.Context, findings chan<- finding, source int, s Scanner, targets iter.Seq[netip.AddrPort]) {
	if s == nil {
		findings <- finding{source: source, scan: ScanResult{Err: errNoScanner}}
		return
	}
	for r := range s.ScanViews(ctx, targets) {
		findings <- finding{source: source, scan: r}
	}
}

// queried identifies a server that is queried.
type queried struct {
	protocol, form string
	addr           netip.AddrPort
}

// askedServers are the servers of all lists that are queried, so that a server on several
// lists is queried once.
type askedServers struct {
	mu    sync.Mutex
	known map[queried]bool
}

// add adds targets of a list, and returns the new ones. It ends early if ctx is done.
func (a *askedServers) add(ctx context.Context, list *ListResult, targets []netip.AddrPort) (added []netip.AddrPort) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i, at := range targets {
		if hasEnded(ctx, i) {
			break
		}
		q := queried{list.Protocol, list.Form, at}
		if !a.known[q] {
			a.known[q] = true
			added = append(added, at)
		}
	}
	return added
}
