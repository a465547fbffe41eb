package wzhttpnet

import (
	"cmp"
	"net"
	"net/http"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone/internal/serving"
)

// LobbyLimits bounds the resources of a Lobby that peers may use. The
// answer to a request beyond the rate limits is 429, after which real hosts and
// clients wait.
type LobbyLimits struct {
	Lists   lobbywire.Rates // requests for lists; by default 8 for a source, 80 for a prefix, 2000 in total
	Creates lobbywire.Rates // new games, and addresses to check; by default 8, 40, 400
	Hosts   lobbywire.Rates // other requests of hosts; by default 64, 512, 20 000
	Joins   lobbywire.Rates // requests of players to join; by default 8, 80, 2000

	// ConnLimits are for Limit and Server. Frame is for a whole request, and Write for
	// an answer.
	lobbywire.ConnLimits

	// MaxHosts limits the hosts whose games are not published yet. 0 means 4096. A
	// source may have up to 64 and a prefix up to 512 of them.
	MaxHosts int

	// MaxLooks limits the concurrent checks of addresses. 0 means 256.
	MaxLooks int
}

// defaultLimits returns the defaults for zero limits of connections.
func defaultLimits() lobbywire.ConnLimits {
	l := serving.DefaultLimits()
	l.First = 5 * time.Second
	l.Idle = 75 * time.Second // hosts send something at least every 30 s
	l.Write = 30 * time.Second
	return l
}

// Limit returns a listener that refuses connections beyond Limits: by default 20 000 in
// total, 64 of an IPv4 address or an IPv6 /64, and 512 of an IPv4 /24 or an IPv6 /48. Do
// not use it behind a proxy.
func (l *Lobby) Limit(listener net.Listener) net.Listener {
	return stream.LimitListener(listener, l.Limits.ConnLimits, defaultLimits())
}

// Server returns a server for handler, which should include the lobby. If handler is
// nil, it serves only the lobby. It sets deadlines, which net/http does not by default.
// The defaults are 5 s for the header of a request, 10 s for a whole request, 30 s to
// read the answer, and 75 s for an idle connection. A header may have up to 8 KiB. The
// server calls handler as [Handler] does. Over TLS it also supports HTTP/2. Serve it
// on a listener that Limit returns.
func (l *Lobby) Server(handler http.Handler) *http.Server {
	if handler == nil {
		handler = l
	}
	limits, byDefault := l.Limits.ConnLimits, defaultLimits()
	return &http.Server{
		Handler:           Handler(handler),
		ReadHeaderTimeout: cmp.Or(max(limits.First, 0), byDefault.First),
		ReadTimeout:       cmp.Or(max(limits.Frame, 0), byDefault.Frame),
		WriteTimeout:      cmp.Or(max(limits.Write, 0), byDefault.Write),
		IdleTimeout:       cmp.Or(max(limits.Idle, 0), byDefault.Idle),
		MaxHeaderBytes:    8 << 10, // the game's have about 400
	}
}

func (l *Lobby) initLimits() {
	l.lists.Set(l.Limits.Lists, lobbywire.Rates{PerSource: 8, PerPrefix: 80, Global: 2000})
	l.creates.Set(l.Limits.Creates, lobbywire.Rates{PerSource: 8, PerPrefix: 40, Global: 400})
	l.hosts.Set(l.Limits.Hosts, lobbywire.Rates{PerSource: 64, PerPrefix: 512, Global: 20_000})
	l.joins.Set(l.Limits.Joins, lobbywire.Rates{PerSource: 8, PerPrefix: 80, Global: 2000})
	serving.LimitLog(&l.log)
	l.hostings.Max = cmp.Or(l.Limits.MaxHosts, 4096)
	l.hostings.MaxPerAddress = serving.MaxPerAddress
	l.hostings.MaxPerPrefix = serving.MaxPerPrefix
	l.looks = make(chan struct{}, max(cmp.Or(l.Limits.MaxLooks, 256), 0))
}
