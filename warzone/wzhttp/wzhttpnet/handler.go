package wzhttpnet

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// Handler returns a handler that calls h, which should include a Lobby. Servers from
// [Lobby.Server] use it already; use it for other servers.
//
// If users set an address of the lobby that ends with a slash, the game sends paths with
// two slashes. The handler h receives them with one slash: an [http.ServeMux] would
// redirect them, and the game does not follow redirects.
//
// Handler closes the connection after a request with a chunked body. RFC 9112 requires this
// if the request also has a Content-Length, which net/http does not show to handlers. A
// proxy that uses the Content-Length could forward a second request after the chunks as a
// part of the body, so an attacker could set any X-Forwarded-For in that request.
//
// On connections beyond the limits of [Lobby.Limit], Handler answers as documented there.
func Handler(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		as := admissionOf(r)
		if as != kept || len(r.TransferEncoding) > 0 {
			w.Header().Set("Connection", "close")
		}
		if as == refused {
			refuseWithoutBody(w)
			return
		}
		h.ServeHTTP(w, withOneSlash(r))
	})
}

// refuseWithoutBody sends status 429 without a body. HTTP/2 sends a header at once, while a
// body would occupy memory until the client accepts it.
func refuseWithoutBody(w http.ResponseWriter) {
	w.Header().Set("Retry-After", strconv.Itoa(int(retryLater/time.Second)))
	w.WriteHeader(http.StatusTooManyRequests)
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
