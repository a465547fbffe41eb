package wzhttpnet

import (
	"cmp"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/internal/serving"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// Limit returns a listener that admits connections within Limits, as [LimitListener]
// does. By default it allows
//
//	20 000 connections in total,
//	512 of an IPv4 /24 or an IPv6 /48,
//	64 of an IPv4 address or an IPv6 /64.
//
// Do not use it behind a proxy.
func (l *Lobby) Limit(listener net.Listener) net.Listener {
	return LimitListener(listener, l.Limits.ConnLimits)
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
// also supports HTTP/2, with 8 requests at once on a connection. Serve it on a listener that
// Limit returns.
//
// The limits of connections also apply to the requests that are answered at the same time,
// of each client, each prefix and all. Beyond them, the answer is 429 without a body.
func (l *Lobby) Server(handler http.Handler) *http.Server {
	if handler == nil {
		handler = l
	}
	limits, byDefault := l.Limits.ConnLimits, defaultLimits()
	return &http.Server{
		Handler:           Handler(l.limitAnswers(handler)),
		ReadHeaderTimeout: cmp.Or(max(limits.First, 0), byDefault.First),
		ReadTimeout:       cmp.Or(max(limits.Frame, 0), byDefault.Frame),
		WriteTimeout:      cmp.Or(max(limits.Write, 0), byDefault.Write),
		IdleTimeout:       cmp.Or(max(limits.Idle, 0), byDefault.Idle),
		MaxHeaderBytes:    8 << 10, // the game's have about 400
		HTTP2: &http.HTTP2Config{
			MaxConcurrentStreams:          maxStreams,
			MaxReadFrameSize:              16 << 10, // the smallest that HTTP/2 allows
			MaxReceiveBufferPerConnection: wzhttp.MaxRequest,
			MaxReceiveBufferPerStream:     wzhttp.MaxRequest,
			WriteByteTimeout:              cmp.Or(max(limits.Write, 0), byDefault.Write),
		},
	}
}

// maxStreams limits the requests at once on a connection. The game sends at most four.
const maxStreams = 8

// defaultLimits returns the defaults for zero limits of connections.
func defaultLimits() lobbywire.ConnLimits {
	l := serving.DefaultLimits()
	l.First = 5 * time.Second
	l.Idle = 75 * time.Second // hosts send something at least every 30 s
	l.Write = 30 * time.Second
	return l
}

// Handler returns a handler that calls h, which should include a Lobby. It is
// for servers that [Lobby.Server] did not return; its servers use it themselves.
//
// If users set an address of the lobby that ends with a slash, the game sends paths with
// two slashes. The handler h gets them with one slash: an [http.ServeMux] would redirect
// them, and the game does not follow redirects.
//
// Handler closes the connection after a request with a chunked body. RFC 9112 requires
// this if the request also has a Content-Length, which net/http does not show to handlers.
// A proxy that uses the Content-Length could take a second request after the chunks for a
// part of the body, so an attacker could set any X-Forwarded-For in that request.
//
// On connections of a [LimitListener], Handler does what that promises.
func Handler(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		as := admissionOf(r)
		if as != kept || len(r.TransferEncoding) > 0 {
			w.Header().Set("Connection", "close")
		}
		if as == refused {
			errConnections.write(w)
			return
		}
		h.ServeHTTP(w, withOneSlash(r))
	})
}

// withOneSlash returns a request with one slash before the path of the protocol.
func withOneSlash(r *http.Request) *http.Request {
	at := strings.LastIndex(r.URL.Path, wzhttp.BasePath+"/")
	if at < 1 || r.URL.Path[at-1] != '/' {
		return r
	}
	changed := *r
	changed.URL = new(url.URL)
	*changed.URL = *r.URL
	changed.URL.Path = strings.TrimRight(r.URL.Path[:at], "/") + r.URL.Path[at:]
	changed.URL.RawPath = ""
	return &changed
}
