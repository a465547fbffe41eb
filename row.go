package lobbywire

import "net/netip"

// A Row is a game server that a [Browser] has found.
type Row struct {
	// Number identifies the server within one Browse or Watch, from 1. A Row replaces an
	// earlier one with the same Number.
	Number int

	// Seen lists where the server was found, in order of time; at least one. All have the
	// same Protocol.
	Seen []Sighting

	// Join is where players join, as host:port; "" if unknown. If it is missing in a partial
	// answer, it is the address in the list.
	Join string
	View View // of Answer, otherwise of Listed; empty if neither describes the server

	// Answer is the server's answer to a query, the first one if several forms of the protocol
	// answer. It is nil if the server has not answered or was not asked, so it has no RTT.
	Answer *ScanResult

	// Listed is what the first list says of the server, nil if no list names it.
	Listed *Listed

	// Contested reports that another Row has the same Join, and that this one has not
	// answered from there, or that lists disagree about it and it has not answered at all. One
	// server that uses several protocols, lists of different age, or a host that claims the
	// place of another, may be the reason.
	Contested bool

	// Err is why the query has no answer: an [ErrTimeout] if the server is silent, a
	// [LeftOutError] if it is not asked because its address is not one that a list may name. It is
	// nil if there was nothing to query.
	Err error

	Gone bool // this is the last Row of the server: Watch does not find it any more

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
