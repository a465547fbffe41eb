package warzonenet

import (
	"net"
	"net/http"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// HTTPLobbyLimits bound what peers may take of an HTTPLobby. A request beyond the
// rates is answered with 429, after which real hosts and clients wait.
type HTTPLobbyLimits struct {
	Lists   lobbywire.Rates // 0 means 8 for a source, 80 for a prefix, 2000 in total
	Creates lobbywire.Rates // of new games, and of addresses to check: 8, 40, 400
	Hosts   lobbywire.Rates // of other requests of hosts: 64, 512, 20 000
	Joins   lobbywire.Rates // of players: 8, 80, 2000

	// ConnLimits are for Limit and Server. Frame is for a whole request, and Write for
	// an answer.
	lobbywire.ConnLimits

	// MaxHosts limits the hosts whose games are not published yet. 0 means 4096; a
	// source has up to 64 and a prefix up to 512 of them.
	MaxHosts int

	// MaxLooks limits the connections to hosts at any time. 0 means 256.
	MaxLooks int
}

// defaultHTTPLimits returns the limits of connections that zero fields mean.
func defaultHTTPLimits() lobbywire.ConnLimits {
	l := defaultLimits()
	l.First = 5 * time.Second
	l.Idle = 75 * time.Second // hosts send something every 30 s at least
	l.Write = 30 * time.Second
	return l
}

// Limit returns a listener that refuses connections beyond Limits: by default 20 000 in
// total, 64 of an IPv4 address or an IPv6 /64, and 512 of an IPv4 /24 or an IPv6 /48. It
// is for listeners without a proxy in front.
func (l *HTTPLobby) Limit(listener net.Listener) net.Listener {
	return stream.LimitListener(listener, l.Limits.ConnLimits, defaultHTTPLimits())
}

// httpMaxHeader is the size of the longest header of a request, in bytes. Those of the
// game have some 400.
const httpMaxHeader = 8 << 10

// Server returns a server for a handler with the lobby in it, or for the lobby alone if
// handler is nil. It has the deadlines of Limits, which net/http lacks by default: a
// peer has 5 s for the header of a request, 10 s for a whole request and 30 s to take
// the answer, and a connection may be idle for 75 s. A header has up to 8 KiB. Over TLS
// the server speaks HTTP/2 as well. Serve it on a listener of Limit.
func (l *HTTPLobby) Server(handler http.Handler) *http.Server {
	if handler == nil {
		handler = l
	}
	limits, byDefault := l.Limits.ConnLimits, defaultHTTPLimits()
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: positiveOr(limits.First, byDefault.First),
		ReadTimeout:       positiveOr(limits.Frame, byDefault.Frame),
		WriteTimeout:      positiveOr(limits.Write, byDefault.Write),
		IdleTimeout:       positiveOr(limits.Idle, byDefault.Idle),
		MaxHeaderBytes:    httpMaxHeader,
	}
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
