// Package output prints what is known of servers: as tables, JSON, CSV, lines of a template
// and annotated bytes.
package output

import (
	"net/netip"
	"strconv"
	"time"

	"github.com/lobbywire/lobbywire"
)

// An Answer is what is known of a server, from a query or from the list of a master.
type Answer struct {
	Target   string // as a list named it; "" unless the query service says it
	Protocol string
	Form     string         // as in lobbywire.ScanResult
	Query    netip.AddrPort // the queried address; not valid for an entry of a list
	View     lobbywire.View
	ID       string // as in lobbywire.Listed
	Message  any    // the value that the codec returns
	Lacks    string // what has not arrived, "" if everything has
	RTT      time.Duration
	Attempts int
	Err      error // if not nil, there is no answer
}

// LacksPackets is the value of Lacks if packets of an answer are missing.
const LacksPackets = "packets"

// Addresses returns the cells of tables for the address where players join and for the
// query address. The latter has only the port if the former is known.
func (a Answer) Addresses() (address, query string) {
	address = a.Address()
	if address == "" {
		return unknownCell, a.Query.String()
	}
	return address, ":" + strconv.Itoa(int(a.Query.Port()))
}

// Address returns the address where players join, "" if it is unknown.
func (a Answer) Address() string {
	host := ""
	if a.Query.IsValid() {
		host = a.Query.Addr().String()
	}
	return a.View.Address(host)
}

// JoinAddress returns the address where players join a game of a list, with ? for an
// unknown host.
func (a Answer) JoinAddress() string { return a.View.Address(unknownCell) }

// Rule returns the value of a rule, "" if there is none.
func (a Answer) Rule(key string) string {
	for _, r := range a.View.Rules {
		if r.Key == key {
			return r.Value
		}
	}
	return ""
}
