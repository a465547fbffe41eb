package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/admission"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/certificate"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

// lobbyPath is the path of the HTTP lobby: players set the address of the server and this
// path.
const lobbyPath = "/lobby"

// An httpMount serves the HTTP lobby at the port of the page, which opens before the
// lobby starts. Until then, hosts are asked to wait.
type httpMount struct {
	lobby    atomic.Pointer[wzhttpnet.Lobby]
	starting wzhttpnet.Lobby
}

func (m *httpMount) init() { m.starting.Ready = func() bool { return false } }

func (m *httpMount) open(l *wzhttpnet.Lobby) { m.lobby.Store(l) }

func (m *httpMount) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if l := m.lobby.Load(); l != nil {
		l.ServeHTTP(w, r)
		return
	}
	m.starting.ServeHTTP(w, r)
}

// besideLobby returns a handler of requests for a lobby, which has its own rates for messages of
// games. All other requests count for the limiter, also unknown paths below lobbyPath. Other paths
// go to others.
func besideLobby(lobby http.Handler, d *admission.Limiter, others http.Handler) http.Handler {
	lobby = openList(lobby)
	games, rest := d.Check(lobby), d.Limit(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isBelowLobby(r) {
			lobby.ServeHTTP(w, r)
			return
		}
		others.ServeHTTP(w, r)
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		method := r.Method
		if method == http.MethodHead {
			method = http.MethodGet
		}
		if _, _, isEndpoint := wzhttp.EndpointOf(method, r.URL.Path); isEndpoint && isBelowLobby(r) {
			games.ServeHTTP(w, r)
			return
		}
		rest.ServeHTTP(w, r)
	})
}

func isBelowLobby(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, lobbyPath+"/") }

// misplaced returns a handler that reports hosts of Warzone 4.7 with another path than the
// lobby's, and calls h.
func (f *fronts) misplaced(h http.Handler) http.Handler {
	report := f.lists.refusals.Of("http", true)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, _, isLobby := wzhttp.EndpointOf(r.Method, r.URL.Path); isLobby && r.Method != http.MethodGet {
			report(lobbywire.Refusal{From: netip.AddrPortFrom(f.public.Client(r), 0),
				Reason: lobbywire.ReasonProtocol, Err: errMisplaced})
		}
		h.ServeHTTP(w, r)
	})
}

var errMisplaced = errors.New("the lobby of Warzone 4.7 is at " + lobbyPath)

// An httpLobbyServer serves the HTTP lobby on a separate port.
type httpLobbyServer struct {
	httpServer
	lobby *wzhttpnet.Lobby
}

// newHTTPLobbyServer returns a server, which uses TLS unless certificates is nil. Requests for
// paths outside the lobby go to others.
func newHTTPLobbyServer(
	l *wzhttpnet.Lobby, certificates *certificate.Keeper, d *admission.Limiter, conns *admission.Conns,
	others http.Handler,
) httpLobbyServer {
	s := l.Server(besideLobby(l, d, others))
	s.TLSConfig = certificates.Config()
	return httpLobbyServer{guarded(d, conns, s), l}
}

// Serve serves over TLS, if that is configured.
func (s httpLobbyServer) Serve(l net.Listener) error {
	l = s.limit(l)
	if s.TLSConfig == nil {
		return s.Server.Serve(l)
	}
	return s.ServeTLS(l, "", "")
}

// Shutdown also closes the lobby at the port of the page, where hosts are asked to wait
// from then on.
func (s httpLobbyServer) Shutdown(ctx context.Context) error {
	return errors.Join(s.httpServer.Shutdown(ctx), s.lobby.Close())
}

// tokenKey returns the key for tokens of the HTTP lobby. All nodes of a cluster derive
// the same key from their secret.
func (c *config) tokenKey() []byte {
	switch {
	case c.Warzone.key != "":
		return []byte(c.Warzone.key)
	case c.Cluster.secret != "":
		h := hmac.New(sha256.New, []byte(c.Cluster.secret))
		h.Write([]byte(keyVariable))
		return h.Sum(nil)
	}
	return nil
}

// gamesPath is the list of the HTTP lobby.
const gamesPath = lobbyPath + wzhttp.BasePath + "/games"

// openList lets pages of any origin read the list of games, as they may read the API.
// Only games send other requests.
func openList(lobby http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reads := r.Method == http.MethodGet || r.Method == http.MethodHead
		if reads && strings.TrimSuffix(r.URL.Path, "/") == gamesPath {
			w.Header().Set("Access-Control-Allow-Origin", "*")
		}
		lobby.ServeHTTP(w, r)
	})
}
