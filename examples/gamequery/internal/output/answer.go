// Package output prints servers as tables, JSON, CSV, lines of a template and annotated
// bytes.
package output

import (
	"fmt"
	"net/netip"
	"strconv"
	"time"

	"github.com/lobbywire/lobbywire"
)

// An Answer describes a server, from a query or from the list of a master.
type Answer struct {
	Target   string // as a list named it; "" unless the query service says it
	Protocol string
	Form     string         // as in lobbywire.ScanResult
	Query    netip.AddrPort // the queried address; not valid for an entry of a list
	Given    uint16         // the port that the user gave, if the server names another one; see SetGiven
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

// SetGiven sets Given to the port that the user gave, 0 if there was none, if the server at
// the query port of a game names another one. It may be another server of the same machine.
// Some servers name the query port.
func (a *Answer) SetGiven(port uint16) {
	own, query := a.View.Port, a.Query.Port()
	if a.Err == nil && own != 0 && port != 0 && own != port && query != port && own != query {
		a.Given = port
	}
}

// OtherPort returns a text if the server names another port than the given one, otherwise
// "".
func (a Answer) OtherPort() string {
	if a.Given == 0 {
		return ""
	}
	return fmt.Sprintf("the server that answers at the query port %d says that its own port is %d, not %d",
		a.Query.Port(), a.View.Port, a.Given)
}

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
