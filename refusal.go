package lobbywire

import (
	"fmt"
	"net/netip"
	"strings"
)

// A Refusal describes why a master or lobby does not list a server, or not yet. A master
// passes it to the function in its field Refused.
type Refusal struct {
	// From is the address of the server or of its host. Its port is 0 if the port does not
	// identify the server.
	From netip.AddrPort

	// Source is the source port of the heartbeat if it differs from the port of From, which
	// the master queries; otherwise 0.
	Source uint16

	Reason Reason
	Limit  int    // the limit, if that is the Reason
	Game   string // as the host sent it, which may be any bytes; "" if it sent none
	Err    error  // more about the Reason, or nil

	// Missed is the number of refusals since the last call that exceeded the limits of
	// Refused.
	Missed uint64
}

// String describes the refusal in a sentence without the IP address. It includes the ports
// if they may be the reason.
func (r Refusal) String() string {
	text := r.Reason.text()
	if details := r.details(); len(details) > 0 {
		text += " (" + strings.Join(details, ", ") + ")"
	}
	if r.Err != nil {
		text += ": " + r.Err.Error()
	}
	return text
}

func (r Refusal) details() (all []string) {
	if r.Reason.isOfPort() && r.From.Port() != 0 {
		all = append(all, fmt.Sprintf("port %d", r.From.Port()))
		if r.Source != 0 && r.Source != r.From.Port() {
			all = append(all, fmt.Sprintf("heartbeats from port %d", r.Source))
		}
	}
	switch {
	case r.Limit > 0:
		all = append(all, fmt.Sprintf("limit %d", r.Limit))
	case r.Game != "":
		const most = 64
		all = append(all, fmt.Sprintf("%q", r.Game[:min(len(r.Game), most)]))
	}
	return all
}

// A Reason says why a server is not listed.
type Reason int

// The reasons. The zero value is none of them.
const (
	_                 Reason = iota
	ReasonFull               // there are too many servers
	ReasonFullAddress        // there are too many servers of the IPv4 address or IPv6 /64
	ReasonFullPrefix         // there are too many servers of the IPv4 /24 or IPv6 /48
	ReasonConns              // there are too many connections
	ReasonConnsAddress
	ReasonConnsPrefix
	ReasonKey         // the server has not proved that it knows the secret key of its game
	ReasonUnreachable // the server did not answer a query or connection of the master
	ReasonAddress     // lists cannot contain the address, or clients cannot join there
	ReasonGame        // the master does not list servers of the game
	ReasonVersion     // the lobby does not know the version of the game
	ReasonInvalid     // the request is malformed, or its sender may not make it
	ReasonTaken       // another game has the address
	ReasonBusy        // there are too many requests or checks
	ReasonProxy       // a proxy has not named its client
	ReasonOther       // another server, or something other than a server of the game, answers at the address
	ReasonProtocol    // the request is of a protocol other than the port's, or for an unknown path
	ReasonChallenge   // pending: the server has not answered the challenge
	ReasonQuery       // pending: the server has not answered the query, or connection, of the master
	ReasonIncomplete  // pending: the host has not sent everything that a list needs
	reasonCount
)

// Pending reports whether the master still waits for the server or its host, as it does for
// a moment before it lists most servers.
func (r Reason) Pending() bool { return r >= ReasonChallenge && r < reasonCount }

// isOfPort reports whether r may depend on the port of the server.
func (r Reason) isOfPort() bool {
	switch r {
	case ReasonUnreachable, ReasonOther, ReasonChallenge, ReasonQuery:
		return true
	}
	return false
}

// Reasons returns all reasons.
func Reasons() []Reason {
	var all []Reason
	for r := ReasonFull; r < reasonCount; r++ {
		all = append(all, r)
	}
	return all
}

// reasons holds the name and the text of each Reason.
var reasons = [reasonCount]struct{ name, text string }{
	{"none", "not refused"},
	{"full", "too many servers are listed"},
	{"full-address", "too many servers of the address are listed"},
	{"full-prefix", "too many servers of the network are listed"},
	{"connections", "too many connections are open"},
	{"connections-address", "too many connections of the address are open"},
	{"connections-prefix", "too many connections of the network are open"},
	{"key", "the server does not have the secret key of its game"},
	{"unreachable", "the server does not answer at its address"},
	{"address", "clients cannot use the address"},
	{"game", "servers of the game are not listed here"},
	{"version", "the version of the game is not known"},
	{"invalid", "the request is invalid"},
	{"taken", "another game has the address"},
	{"busy", "there are too many requests"},
	{"proxy", "the proxy has not named its client"},
	{"other", "what answers at the address of the server is not the server"},
	{"protocol", "the request is of another protocol, or for another path"},
	{"challenge", "a heartbeat has arrived, and its challenge has no answer: open the port for UDP"},
	{"query", "the server has announced itself, and a query or connection to it has no answer yet: open its port"},
	{"incomplete", "the host has not sent all that a list needs yet"},
}

// String returns a name in lower case without spaces, such as "full-address".
func (r Reason) String() string {
	if r < 0 || r >= reasonCount {
		return fmt.Sprintf("Reason(%d)", int(r))
	}
	return reasons[r].name
}

func (r Reason) text() string {
	if r < 0 || r >= reasonCount {
		return r.String()
	}
	return reasons[r].text
}
