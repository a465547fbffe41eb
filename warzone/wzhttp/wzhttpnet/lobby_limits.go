package wzhttpnet

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// LobbyLimits bounds the resources of a Lobby that peers may use. The answer to a request
// beyond a rate limit is 429, after which real hosts and clients wait. Hosts that close their
// game say so once, beyond any rate too. The rates are by default:
//
//	         PerSource  PerPrefix  Global
//	Lists            8         80    2000
//	Creates          8         40     400
//	Hosts           64        512  20 000
//	Joins            8         80    2000
type LobbyLimits struct {
	Lists   lobbywire.Rates // requests for lists
	Creates lobbywire.Rates // new games, and addresses to check
	Hosts   lobbywire.Rates // other requests of hosts
	Joins   lobbywire.Rates // requests of players to join

	// ConnLimits are for Limit and Server. Frame is for a whole request, and Write for
	// an answer.
	lobbywire.ConnLimits

	// MaxHosts limits the hosts whose games are not published yet. 0 means 4096. A
	// source may have up to 64 and a prefix up to 512 of them.
	MaxHosts int

	// MaxLooks limits the concurrent checks of addresses. 0 means 256. Of these, an IPv4
	// address or an IPv6 /64 may have a 32nd part, an IPv4 /24 or an IPv6 /48 a 16th, and
	// all prefixes without a host that has answered within a day half.
	MaxLooks int
}

// requestLimits are the rate limits of requests.
type requestLimits struct{ lists, creates, hosts, joins limit.Limiter }

func (q *requestLimits) set(to LobbyLimits) {
	q.lists.Set(limit.RatesOf(to.Lists, lobbywire.Rates{PerSource: 8, PerPrefix: 80, Global: 2000}))
	q.creates.Set(limit.RatesOf(to.Creates, lobbywire.Rates{PerSource: 8, PerPrefix: 40, Global: 400}))
	q.hosts.Set(limit.RatesOf(to.Hosts, lobbywire.Rates{PerSource: 64, PerPrefix: 512, Global: 20_000}))
	q.joins.Set(limit.RatesOf(to.Joins, lobbywire.Rates{PerSource: 8, PerPrefix: 80, Global: 2000}))
}

// of returns the limit of the requests to an endpoint.
func (q *requestLimits) of(e wzhttp.Endpoint) *limit.Limiter {
	switch e {
	case wzhttp.EndpointList:
		return &q.lists
	case wzhttp.EndpointCreate, wzhttp.EndpointConnection:
		return &q.creates
	case wzhttp.EndpointJoin:
		return &q.joins
	}
	return &q.hosts
}
