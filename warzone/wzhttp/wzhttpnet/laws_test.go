package wzhttpnet

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/laws"
	"github.com/lobbywire/lobbywire/warzone/internal/announce"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// A lawServer is a Lobby with its server.
type lawServer struct {
	*Lobby
	server *http.Server
}

// Serve serves a listener within the limits.
func (s lawServer) Serve(ln net.Listener) error {
	err := s.server.Serve(s.Limit(ln))
	if err == http.ErrServerClosed {
		return lobbywire.ErrClosed
	}
	return err
}

// Shutdown ends the server and then the Lobby.
func (s lawServer) Shutdown(ctx context.Context) error {
	return cmp.Or(s.server.Shutdown(ctx), s.Lobby.Close())
}

// Close closes all connections.
func (s lawServer) Close() error { return cmp.Or(s.server.Close(), s.Lobby.Close()) }

func newLawServer(s laws.LobbySettings, shared warzonegames.Store) lawServer {
	l := &Lobby{Games: gamestest.GamesOf(s), Key: make([]byte, 32), NoVerify: s.NoVerify, NoRates: true, Dial: s.Dial,
		Limits: s.Limits, Refused: s.Refused}
	l.Games.Store = shared
	return lawServer{l, l.Server(nil)}
}

func TestLobbyObeysTheLaws(t *testing.T) {
	const get = "GET /api/v1/games HTTP/1.1\r\nHost: x\r\n\r\n"
	laws.Lobby{
		New: func(s laws.LobbySettings) laws.StreamServer { return newLawServer(s, nil) },
		Nodes: func() func(s laws.LobbySettings) laws.StreamServer {
			h := gamestest.NewHub()
			return func(s laws.LobbySettings) laws.StreamServer {
				return newLawServer(s, h.Node())
			}
		},
		Host: func(s laws.HostSettings) laws.Host {
			return &Host{Addr: s.Lobby, Port: s.Port, NoIPv6: s.NoIPv6, Dial: s.Dial,
				Changed: s.Changed, Logger: s.Logger}
		},
		Client:   func(dial laws.Dial) lobbywire.Lister { return &Client{Dial: dial, ListEvery: -1} },
		Unheard:  lobbywire.StandingSilent,
		Tells:    true,
		Scheme:   "http://",
		Head:     "HTTP/1.1 200 OK\r\n\r\n",
		BadAddrs: map[string]string{"": "Addr is empty", "ftp://lobby.example": "scheme", "https://": "no host"},
		Return:   45 * time.Second,
		Again:    announce.MaxRetry*3/2 + time.Minute,
		Request:  []byte(get),
		Silences: []laws.Silence{
			{Name: "nothing", After: 5 * time.Second},
			{Name: "half a header", Sent: "GET / HTTP/1.1\r\nHost: x\r\n", More: strings.Repeat("x", 100),
				After: 5 * time.Second},
			{Name: "half a body", Sent: "POST /api/v1/game HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{",
				More: strings.Repeat("x", 50), After: 10 * time.Second},
			{Name: "nothing after a list", Sent: get, After: 75 * time.Second},
		},
		Limits:      defaultLimits(),
		Golden:      []string{"..", "../.."},
		NoAddresses: true,
		Outlives:    true,
		Checks:      true,
	}.Test(t)
}
