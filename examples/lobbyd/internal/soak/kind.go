package soak

import "time"

// A Kind is the protocol that a host uses to be listed, named after the server of
// lobbyd.
type Kind string

// The kinds of hosts.
const (
	GameAgent Kind = "gameagent"
	Lobby     Kind = "warzone"
	Text      Kind = "text"
	Binary    Kind = "binary"
	JSON      Kind = "json"
	Bomberman Kind = "bomberman"
)

// Shares of the hosts, in percent. The Warzone kinds have fewer hosts than fit in a
// list of the proposals: at most 1023 of 5000.
var shares = []struct {
	kind    Kind
	percent int
}{{GameAgent, 48}, {Lobby, 14}, {Text, 2}, {Binary, 2}, {JSON, 2}, {Bomberman, 32}}

// kinds returns the kind of each host. Each kind has at least one host.
func kinds(hosts int) []Kind {
	all := make([]Kind, 0, hosts)
	for _, s := range shares {
		for range max(1, hosts*s.percent/100) {
			all = append(all, s.kind)
		}
	}
	for len(all) < hosts {
		all = append(all, GameAgent)
	}
	return all[:hosts]
}

// Lag is how long a host is in flux after it has joined, left or changed.
const Lag = 5 * time.Second

// apiLag is added to Lag for the API, since lobbyd updates it every second or two.
const apiLag = 5 * time.Second

// updateLag is how long a change of a host may take to appear in lists.
func (k Kind) updateLag() time.Duration {
	if k == Lobby {
		return Lag + 7*time.Second // its hosts send no sooner
	}
	return Lag
}
