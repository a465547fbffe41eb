package lobbywire

import (
	"fmt"
	"net/netip"
)

// A Refusal describes why a master or lobby does not list a server. A master passes it to
// the function in its field Refused.
type Refusal struct {
	// From is the address of the server or of its host. Its port is 0 if the port does not
	// identify the server.
	From netip.AddrPort

	Reason Reason
	Limit  int    // the limit, if that is the Reason
	Game   string // as the host sent it, which may be any bytes; "" if it sent none
	Err    error  // more about the Reason, or nil
}

// String describes the refusal in a sentence without the address.
func (r Refusal) String() string {
	text := r.Reason.text()
	switch {
	case r.Limit > 0:
		text += fmt.Sprintf(" (limit %d)", r.Limit)
	case r.Game != "":
		const most = 64
		text += fmt.Sprintf(" (%q)", r.Game[:min(len(r.Game), most)])
	}
	if r.Err != nil {
		text += ": " + r.Err.Error()
	}
	return text
}

// A Reason is why a server is not listed.
type Reason int

// The reasons. The first is no reason.
const (
	_                 Reason = iota
	ReasonFull               // there are too many servers
	ReasonFullAddress        // there are too many servers of the IPv4 address or IPv6 /64
	ReasonFullPrefix         // there are too many servers of the IPv4 /24 or IPv6 /48
	ReasonConns              // there are too many connections
	ReasonConnsAddress
	ReasonConnsPrefix
	ReasonKey         // the server has not proved that it has the secret key of its game
	ReasonUnreachable // the server did not answer a query or connection of the master
	ReasonAddress     // lists cannot contain the address, or clients cannot join there
	ReasonGame        // the master does not list servers of the game
	ReasonVersion     // the lobby does not know the version of the game
	ReasonInvalid     // the request is malformed
	ReasonTaken       // another game has the address
	ReasonBusy        // there are too many requests or checks
	ReasonProxy       // a proxy has not named its client
	reasonCount
)

// Reasons returns all reasons.
func Reasons() []Reason {
	var all []Reason
	for r := ReasonFull; r < reasonCount; r++ {
		all = append(all, r)
	}
	return all
}

// reasons has a name and a text for each Reason.
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
	{"invalid", "the request is malformed"},
	{"taken", "another game has the address"},
	{"busy", "there are too many requests"},
	{"proxy", "the proxy has not named its client"},
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
