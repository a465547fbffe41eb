package lobbywire

import "net/netip"

// A Row is a game server that a [Browser] has found.
type Row struct {
	// Number identifies the server within one Browse or Watch, from 1. A Row replaces an
	// earlier one with the same Number.
	Number int

	// Seen lists where the server was found, in chronological order. It is not empty, and
	// all elements have the same Protocol.
	Seen []Sighting

	// Join is where players join, as host:port; "" if unknown. If it is missing in a partial
	// answer, it is the address in the list.
	Join string
	View View // of Answer, otherwise of Listed; empty if neither describes the server

	// Answer is the server's answer to a query, the first one if it answers several forms
	// of the protocol. It is nil if the server has not answered or is not queried.
	Answer *ScanResult

	// Listed is the entry of the server in the first list that contains it, or nil.
	Listed *Listed

	// Contested reports that another Row has the same Join and this server has not answered
	// from there, or that lists disagree about a server that has not answered at all. The
	// reason may be a server with several protocols, lists of different age, or a host that
	// claims the address of another.
	Contested bool

	// Err says why there is no answer: an [ErrTimeout] if the server is silent, a
	// [LeftOutError] if it is not queried because a list must not name its address. It is
	// nil if the server has no query address.
	Err error

	Gone bool // this is the last Row of the server, which Watch no longer finds

	key string
}

// Key returns a text that identifies the server, also in later calls of Browse, for example
// as a favourite of a player. It contains the protocol and the query address, or else Join,
// or else the master and the ID. It is "" if the list has none of these. Two rows have the
// same Key only if two lists disagree about a server that is not queried. Like Join, a Key
// may contain any characters of a list.
func (r Row) Key() string { return r.key }

// A Sighting is one source of a Row: a list that contains the server, an answer, or a query
// without an answer if no list contains it.
type Sighting struct {
	Source   int            // index in the sources of Browse
	Protocol string         // as in [ScanResult]
	Form     string         // as in [ScanResult]
	Master   string         // the address of the list, "" if the server was found by a query
	Query    netip.AddrPort // where the server is queried; the zero value if it is not
	ID       string         // as in [Listed]
	View     View           // the description in this list or answer
}
