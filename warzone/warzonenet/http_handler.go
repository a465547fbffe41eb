package warzonenet

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// HTTPHandler returns a handler that calls h, which has an HTTPLobby in it, for servers
// other than those of Server, which use it.
//
// If users set an address of the lobby that ends with a slash, the game sends paths with
// two slashes. h gets them with one: an [http.ServeMux] would redirect them, and the game
// follows no redirect.
//
// A connection ends after a request whose body comes in chunks, as RFC 9112 demands if it
// has a Content-Length as well, which net/http removes. A proxy that goes by that length
// takes another request behind the chunks for a part of the body, and so an attacker could
// name any address in X-Forwarded-For of that one.
func HTTPHandler(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TransferEncoding) > 0 {
			w.Header().Set("Connection", "close")
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
