package lobbywire

import (
	"context"
	"iter"
	"net/netip"
	"slices"
	"sync"
	"time"
)

// A Source is where [Browse] finds game servers: a list, targets to query, or both.
type Source struct {
	List List // if its Lister is nil, there is no list

	// Scanner queries the servers of the list, and Targets. If it is nil, servers are
	// described by the list alone.
	Scanner Scanner
	Targets iter.Seq[netip.AddrPort] // query addresses, as for [Scanner]; may be nil
}

// A Row is a game server that [Browse] has found, or reports the end of a list.
type Row struct {
	// Number identifies the server within one Browse, from 1. A Row replaces an earlier
	// one with the same Number. It is 0 if the Row describes no server: its first Sighting
	// names the Source whose list has arrived or failed, or whose scan has failed.
	Number int

	// Seen lists where the server was found, in order of time; at least one.
	Seen []Sighting

	// The server's answer to a query, the first one if several protocols answer. If no
	// query was answered, View and Entry are from the list.
	Join    string        // where players join, as host:port; "" if unknown
	View    View          // empty if neither answer nor list describes the server
	Entry   any           // in the type of its protocol
	RTT     time.Duration // of the query, or the list if Number is 0
	Partial bool          // parts of the answer, or of the list if Number is 0, are missing

	// Err is why the query has no answer, or why the list or the scan failed if Number is
	// 0. It is nil if there was nothing to query.
	Err error
}

// A Sighting is a list or a query that found a server. Protocol, Form and Query, or Join
// of the Row if there is no Query, identify the server in later calls of Browse.
type Sighting struct {
	Source   int            // index in the sources of Browse
	Protocol string         // as in [ScanResult]
	Form     string         // as in [ScanResult]
	Master   string         // the address of the list, "" if the server was found by a query
	Query    netip.AddrPort // where the server is queried; the zero value if it is not
	ID       string         // as in [Listed]
}

// Browse fetches the lists of several sources at once, queries the servers on them, and
// yields servers as they answer. A server on several lists, or one that answers in several
// protocols at the same address for players, is one Row: it is yielded again when Browse
// finds out more. A server that is queried is yielded when its query ends, even without an
// answer; others when their list arrives.
//
// If the caller leaves the loop or ctx is done, all requests and scans end at once. Browse
// keeps all rows until then. It starts up to two goroutines for each source, which end
// before the loop does, except those that read blocked Targets; see [Scanner].
func Browse(ctx context.Context, sources ...Source) iter.Seq[Row] {
	return func(yield func(Row) bool) {
		ctx, cancel := context.WithCancel(ctx)
		findings := make(chan finding, waitingResults)
		asked := &askedServers{known: make(map[queried]bool)}
		var running sync.WaitGroup
		for i, s := range sources {
			if s.List.Lister != nil || s.Targets == nil {
				running.Go(func() {
					r := s.List.fetch(ctx)
					findings <- finding{source: i, list: &r}
					if s.Scanner != nil {
						scanInto(ctx, findings, i, s.Scanner, asked.add(r))
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
		t := table{sources: sources, byQuery: make(map[queried]*server), byJoin: make(map[string]*server)}
		for f := range findings {
			for _, row := range t.take(f) {
				if !yield(row) {
					return
				}
			}
		}
	}
}

// A finding is a list, or the result of a query.
type finding struct {
	source int
	list   *ListResult
	scan   ScanResult // unless list is set
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

// add adds the servers of a list, and returns the new ones.
func (a *askedServers) add(list ListResult) iter.Seq[netip.AddrPort] {
	a.mu.Lock()
	defer a.mu.Unlock()
	var fresh []netip.AddrPort
	for _, l := range list.Servers {
		q := queried{list.Protocol, list.Form, l.Query}
		if l.Query.IsValid() && !a.known[q] {
			a.known[q] = true
			fresh = append(fresh, l.Query)
		}
	}
	return slices.Values(fresh)
}

// A table has the servers that were found.
type table struct {
	sources []Source
	byQuery map[queried]*server
	byJoin  map[string]*server
	count   int
}

// A server is a Row, and what is not shown of it.
type server struct {
	Row
	answered bool
	waiting  bool // for the end of its query; there is no Number yet
}

// take adds a finding and returns the rows that it changes.
func (t *table) take(f finding) []Row {
	if f.list == nil {
		return []Row{t.takeResult(f.source, f.scan)}
	}
	rows := make([]Row, 0, len(f.list.Servers)+1)
	for _, l := range f.list.Servers {
		s := t.takeListed(f, l)
		if !s.waiting {
			rows = append(rows, t.row(s))
		}
	}
	return append(rows, Row{
		Seen:    []Sighting{{Source: f.source, Protocol: f.list.Protocol, Form: f.list.Form, Master: f.list.Master}},
		RTT:     f.list.RTT,
		Partial: f.list.Partial,
		Err:     f.list.Err,
	})
}

// takeListed adds an entry of a list.
func (t *table) takeListed(f finding, l Listed) *server {
	seen := Sighting{f.source, f.list.Protocol, f.list.Form, f.list.Master, l.Query, l.ID}
	join := l.View.Address("")
	isQueried := t.sources[f.source].Scanner != nil && l.Query.IsValid()
	var s *server
	if isQueried {
		s = t.byQuery[queried{seen.Protocol, seen.Form, l.Query}]
	}
	if s == nil {
		s = t.byJoin[join]
	}
	if s == nil {
		s = &server{Row: Row{Join: join, View: l.View, Entry: l.Entry}, waiting: isQueried}
		t.index(s)
	}
	if isQueried {
		t.byQuery[queried{seen.Protocol, seen.Form, l.Query}] = s
	}
	if !slices.Contains(s.Seen, seen) {
		s.Seen = append(s.Seen, seen)
	}
	return s
}

// takeResult adds the result of a query.
func (t *table) takeResult(source int, r ScanResult) Row {
	seen := Sighting{Source: source, Protocol: r.Protocol, Form: r.Form, Query: r.Query}
	if !r.Query.IsValid() {
		return Row{Seen: []Sighting{seen}, Err: r.Err}
	}
	q := queried{r.Protocol, r.Form, r.Query}
	s := t.byQuery[q]
	join := r.View.Address(r.Query.Addr().Unmap().String())
	known := t.byJoin[join]
	switch {
	case r.Err != nil || known == nil:
	case s == nil:
		s = known
	case s.Number == 0 && s != known:
		t.merge(known, s)
		s = known
	}
	if s == nil {
		s = new(server)
	}
	t.byQuery[q] = s
	if !slices.ContainsFunc(s.Seen, func(have Sighting) bool {
		return have.Protocol == seen.Protocol && have.Form == seen.Form && have.Query == seen.Query
	}) {
		s.Seen = append(s.Seen, seen)
	}
	s.waiting = false
	switch {
	case r.Err == nil && !s.answered:
		s.answered = true
		s.Join, s.View, s.Entry = join, r.View, r.Answer
		s.RTT, s.Partial, s.Err = r.RTT, r.Partial, nil
		t.index(s)
	case r.Err != nil && !s.answered:
		s.Err = r.Err
	}
	return t.row(s)
}

// merge adds a server of a list, which has turned out to be a known one, to it.
func (t *table) merge(known, s *server) {
	known.Seen = append(known.Seen, s.Seen...)
	for _, seen := range s.Seen {
		t.byQuery[queried{seen.Protocol, seen.Form, seen.Query}] = known
	}
}

// index makes a server known by the address where players join.
func (t *table) index(s *server) {
	if s.Join != "" && t.byJoin[s.Join] == nil {
		t.byJoin[s.Join] = s
	}
}

// row returns the Row of a server, with its own slice.
func (t *table) row(s *server) Row {
	if s.Number == 0 {
		t.count++
		s.Number = t.count
	}
	row := s.Row
	row.Seen = slices.Clone(s.Seen)
	return row
}
