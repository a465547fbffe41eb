package soak

import (
	"math/rand/v2"
	"time"

	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

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
	HTTP      Kind = "http"
	Bomberman Kind = "bomberman"
)

// shares are the shares of the hosts, in percent. The Warzone kinds have fewer hosts than fit in a
// list of the proposals: at most 1023 of 5000.
var shares = []struct {
	kind    Kind
	percent int
}{{GameAgent, 48}, {Lobby, 9}, {HTTP, 5}, {Text, 2}, {Binary, 2}, {JSON, 2}, {Bomberman, 32}}

// kinds returns the kind of each host, in random order, so that hosts of all kinds share
// each prefix. Each kind has at least one host.
func kinds(hosts int, r *rand.Rand) []Kind {
	all := make([]Kind, 0, hosts)
	for _, s := range shares {
		for range max(1, hosts*s.percent/100) {
			all = append(all, s.kind)
		}
	}
	for len(all) < hosts {
		all = append(all, GameAgent)
	}
	all = all[:hosts]
	r.Shuffle(hosts, func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// Lag is how long a host is in flux after it has joined, left or changed.
const Lag = 5 * time.Second

// apiLag is added to Lag for the API, because lobbyd updates it every second or
// two.
const apiLag = 5 * time.Second

// updateLag is how long a change of a host may take to appear in lists.
func (k Kind) updateLag() time.Duration {
	switch k { // minimum intervals of their hosts
	case Lobby:
		return Lag + 7*time.Second
	case HTTP:
		return Lag + wzhttp.MinPatchInterval
	}
	return Lag
}
