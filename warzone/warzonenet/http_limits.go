package warzonenet

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// HTTPLobbyLimits bound what peers may take of an HTTPLobby. A request beyond the
// rates is answered with 429, after which real hosts and clients wait.
type HTTPLobbyLimits struct {
	Lists   lobbywire.Rates // 0 means 8 for a source, 80 for a prefix, 2000 in total
	Creates lobbywire.Rates // of new games, and of addresses to check: 8, 40, 400
	Hosts   lobbywire.Rates // of other requests of hosts: 64, 512, 20 000
	Joins   lobbywire.Rates // of players: 8, 80, 2000

	// MaxHosts limits the hosts whose games are not published yet. 0 means 4096; a
	// source has up to 64 and a prefix up to 512 of them.
	MaxHosts int

	// MaxLooks limits the connections to hosts at any time. 0 means 256.
	MaxLooks int
}

// Classes of requests, each with its own limits.
const (
	httpLists = iota
	httpCreates
	httpHosts
	httpJoinClass
	httpClasses
)

// classOf returns the class of an endpoint.
func classOf(e wzhttp.Endpoint) int {
	switch e {
	case wzhttp.EndpointList:
		return httpLists
	case wzhttp.EndpointCreate, wzhttp.EndpointConnection:
		return httpCreates
	case wzhttp.EndpointJoin:
		return httpJoinClass
	}
	return httpHosts
}

func (l *HTTPLobby) initLimits() {
	l.limits[httpLists].Set(l.Limits.Lists, lobbywire.Rates{PerSource: 8, PerPrefix: 80, Global: 2000})
	l.limits[httpCreates].Set(l.Limits.Creates, lobbywire.Rates{PerSource: 8, PerPrefix: 40, Global: 400})
	l.limits[httpHosts].Set(l.Limits.Hosts, lobbywire.Rates{PerSource: 64, PerPrefix: 512, Global: 20_000})
	l.limits[httpJoinClass].Set(l.Limits.Joins, lobbywire.Rates{PerSource: 8, PerPrefix: 80, Global: 2000})
	limitLog(&l.log)
	l.hostings.Max = positiveOr(l.Limits.MaxHosts, 4096)
	l.hostings.MaxPerAddress = defaultGamesPerAddress
	l.hostings.MaxPerPrefix = defaultGamesPerPrefix
	l.looks = make(chan struct{}, positiveOr(l.Limits.MaxLooks, 256))
}

// allow reports whether a request is within the limits.
func (l *HTTPLobby) allow(e wzhttp.Endpoint, from netip.Addr) bool {
	return l.limits[classOf(e)].Allow(from, time.Now())
}
