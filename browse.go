package lobbywire

import (
	"context"
	"errors"
	"iter"
	"net/netip"
	"sync"
	"time"
)

// A Source is where [Browse] finds game servers: a list, targets to query, or both.
type Source struct {
	List List // if its Lister is nil, there is no list

	// Scanner queries the servers of the list, as [ListResult.Targets] chooses them, and all
	// Targets. If it is nil, servers are described by the list alone.
	Scanner Scanner
	Targets iter.Seq[netip.AddrPort] // query addresses, as for [Scanner]; may be nil
}

// A Row is a game server that [Browse] has found, or reports the end of a list.
type Row struct {
	// Number identifies the server within one Browse, from 1. A Row replaces an earlier
	// one with the same Number. It is 0 if the Row describes no server: its first Sighting
	// names the Source whose list has arrived or failed, or whose scan has failed.
	Number int

	// Seen lists where the server was found, in order of time; at least one. All have the
	// same Protocol.
	Seen []Sighting

	// The server's answer to a query, the first one if several forms of the protocol answer.
	// If no query was answered, View and Entry are what its first list says.
	Join    string        // where players join, as host:port; "" if unknown
	View    View          // empty if neither answer nor list describes the server
	Entry   any           // in the type of its protocol
	RTT     time.Duration // of the query, or the list if Number is 0
	Partial bool          // parts of the answer, or of the list if Number is 0, are missing

	// Contested reports that another Row has the same Join, and that this one has not
	// answered from there, or that lists disagree about it and it has not answered at all. One
	// server that uses several protocols, lists of different age, or a host that claims the
	// place of another, may be the reason.
	Contested bool

	// Err is why the query has no answer, or why the list or the scan failed if Number is
	// 0. It is nil if there was nothing to query. It is a [LeftOut] if the server is not
	// queried because its address is not one that a list may name.
	Err error

	LeftOut LeftOut // servers of the list that are not queried or not shown, if Number is 0

	Gone bool // this is the last Row of the server: [Watch] does not find it any more

	key string
}

// Key identifies the server, also in later calls of Browse, for example as a favourite of a
// player. It contains the protocol and the query address; Join, if there is no query address;
// or the master and the ID, if there is no Join either. It is "" if the list has none of
// these. Two rows have the same Key only if two lists disagree about a server that is not
// queried. Like Join, a Key may contain any characters of a list.
func (r Row) Key() string { return r.key }

// A Sighting is a list that names a server, or an answer of it, or its silence if no list
// names it.
type Sighting struct {
	Source   int            // index in the sources of Browse
	Protocol string         // as in [ScanResult]
	Form     string         // as in [ScanResult]
	Master   string         // the address of the list, "" if the server was found by a query
	Query    netip.AddrPort // where the server is queried; the zero value if it is not
	ID       string         // as in [Listed]
	View     View           // the description in this list or answer
}

// maxServers is the number of servers of a list that have rows, the limit of the clients
// in this module.
const maxServers = 1 << 16

// waitingFindings is how many findings Browse holds, so that scans do not wait while the
// caller handles a burst of them.
const waitingFindings = 256

var (
	errNoLister  = errors.New("lobbywire: the Lister is nil")
	errNoScanner = errors.New("the Scanner is nil")
)

// Browse fetches the lists of several sources at once, queries the servers on them, and
// yields servers as they answer. A server that is queried is yielded when its query ends,
// even without an answer; others when their list arrives. It is yielded again when Browse
// finds out more.
//
// A server is known by its protocol and query address. On several lists it is one Row, and
// only an answer from that address replaces what the first list says of it. The rest is a
// claim: lists and answers can name any address where players join, so servers with the same
// Join have a Row each, and are Contested. Servers that are not queried are one Row if lists
// agree about their protocol, Join and View, and otherwise a Row for each claim. Of a list
// that contradicts itself the first entry counts.
//
// [ListResult.Targets] says which servers of a list are queried, and how fast. So a list
// cannot direct a flood at somebody. Source.Targets are the caller's own. The servers of a
// list beyond 65 536 are ignored, and the list is Partial.
//
// If the caller leaves the loop or ctx is done, all requests and scans end at once. Browse
// keeps all rows until then. It starts up to two goroutines for each source, which end
// before the loop does, except those that read blocked Targets; see [Scanner].
func Browse(ctx context.Context, sources ...Source) iter.Seq[Row] {
	return func(yield func(Row) bool) {
		ctx, cancel := context.WithCancel(ctx)
		findings := make(chan finding, waitingFindings)
		asked := &askedServers{known: make(map[queried]bool)}
		var running sync.WaitGroup
		for i, s := range sources {
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
