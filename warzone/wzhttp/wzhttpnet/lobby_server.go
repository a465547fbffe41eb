package wzhttpnet

import (
	"cmp"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/forwarded"
	"github.com/lobbywire/lobbywire/internal/source"
)

// Limit returns a listener that admits connections within Limits. By default it allows
//
//	20 000 connections in total,
//	512 of an IPv4 /24 or an IPv6 /48,
//	64 of an IPv4 address or an IPv6 /64.
//
// Warzone 2100 stops announcing its game for ever if the lobby closes a connection without
// an answer, and waits after status 429. A connection, counted among those of its address,
// its prefix and the server, is therefore treated by its number:
//
//	in the first half of the limit    stays open between requests,
//	in the second half                is closed after one answer,
//	beyond the limit                  gets one answer, with status 429, within 10 s.
//
// Connections are closed at once only if there are as many of the last kind as the limit of
// an address or a prefix allows of the others, or an eighth of MaxConns in total.
//
// The handler of the server must be a [Handler], or the server must be from [Lobby.Server].
// Do not use Limit behind a proxy, whose connections all have the same address.
func (l *Lobby) Limit(listener net.Listener) net.Listener {
	l.once.Do(l.init)
	return &limitedListener{Listener: listener, conns: &l.conns}
}

// Server returns a server for handler, which should include the lobby. If handler is
// nil, it serves only the lobby. It sets deadlines, which net/http does not by default:
//
//	5 s to receive the header of a request,
//	10 s to receive a whole request,
//	30 s to send the answer,
//	75 s for an idle connection.
//
// A header may have up to 8 KiB. The server calls handler as [Handler] does. Over TLS it
// also supports HTTP/2, with 8 requests at once on a connection. Serve it on a listener
// that Limit returns. Messages that package net/http logs go to Logger at level Debug.
//
// The limits of connections also apply to concurrent requests of a client, of a prefix and
// in total. Beyond them, the answer is 429 without a body.
func (l *Lobby) Server(handler http.Handler) *http.Server {
	if handler == nil {
		handler = l
	}
	limits, byDefault := l.Limits, defaultLimits()
	logged := slog.DiscardHandler
	if l.Logger != nil {
		logged = l.Logger.Handler()
	}
	return &http.Server{
		ErrorLog:          slog.NewLogLogger(logged, slog.LevelDebug), // peers cause one for each connection
		Handler:           Handler(l.limitAnswers(handler)),
		ReadHeaderTimeout: cmp.Or(max(limits.First, 0), byDefault.First),
		ReadTimeout:       cmp.Or(max(limits.Frame, 0), byDefault.Frame),
		WriteTimeout:      cmp.Or(max(limits.Write, 0), byDefault.Write),
		IdleTimeout:       cmp.Or(max(limits.Idle, 0), byDefault.Idle),
		MaxHeaderBytes:    8 << 10, // the game's have about 400
		HTTP2: &http.HTTP2Config{
			MaxConcurrentStreams:          maxStreams,
			MaxReadFrameSize:              16 << 10, // the smallest that HTTP/2 allows
			MaxReceiveBufferPerConnection: maxRequest,
			MaxReceiveBufferPerStream:     maxRequest,
			WriteByteTimeout:              cmp.Or(max(limits.Write, 0), byDefault.Write),
		},
	}
}

// maxStreams limits the requests at once on a connection. The game sends at most four.
const maxStreams = 8

// answers counts the requests that are being answered.
type answers struct {
	conns *atomic.Pointer[lobbywire.ConnLimits]
	mu    sync.Mutex
	open  source.Counter
}

func (a *answers) begin(from netip.Addr) (ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.open.SetLimits(connCounter(*a.conns.Load()))
	return a.open.Add(from)
}

func (a *answers) end(from netip.Addr) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.open.Remove(from)
}

// limitAnswers returns a handler that calls h for a limited number of requests at once.
// Over HTTP/1, the number of connections bounds them anyway. Over HTTP/2, a client that
// does not accept answers could make each request of a connection occupy memory.
func (l *Lobby) limitAnswers(h http.Handler) http.Handler {
	l.once.Do(l.init)
	a := &answers{conns: &l.conns}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		from, _ := forwarded.Client(r, l.TrustedProxies) // the handler refuses a request without a client
		if !a.begin(from) {
			l.counts.Add(&l.counts.Stats.Limited)
			refuseWithoutBody(w)
			return
		}
		defer a.end(from)
		h.ServeHTTP(w, r)
		if r.ProtoMajor == 2 {
			http.NewResponseController(w).Flush() // waits until the client has accepted the answer
		}
	})
}
