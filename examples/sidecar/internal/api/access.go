package api

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// allowed returns a handler for requests of the game only. If there is a token, they must
// contain it. Without one, the server listens on loopback or a unix socket only, and
// refuses requests for other names: a web page whose name leads to 127.0.0.1 could send
// them.
func (s *Server) allowed(h http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case s.Token != "" && !hasToken(r, s.Token):
			w.Header().Set("WWW-Authenticate", "Bearer")
			refuse(w, http.StatusUnauthorized, "the request needs the header Authorization: Bearer, with the token")
		case s.Token == "" && !isLocal(r):
			refuse(w, http.StatusForbidden, "without a token, the host in the URL must be an IP address or localhost")
		default:
			h(w, r)
		}
	})
}

// shown returns a handler for requests of anyone who knows the address of the server. Requests
// for other names need the token, because the names of web pages may lead to that address.
func (s *Server) shown(h http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isLocal(r) && (s.Token == "" || !hasToken(r, s.Token)) {
			refuse(w, http.StatusForbidden, "without the token, the host in the URL must be an IP address or localhost")
			return
		}
		h(w, r)
	})
}

func hasToken(r *http.Request, token string) bool {
	scheme, got, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	a, b := sha256.Sum256([]byte(strings.TrimSpace(got))), sha256.Sum256([]byte(token))
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// isLocal reports whether a request is for an IP address or localhost, or came over a unix
// socket.
func isLocal(r *http.Request) bool {
	if at, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr); at != nil && at.Network() == "unix" {
		return true
	}
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	_, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil || strings.EqualFold(host, "localhost")
}
