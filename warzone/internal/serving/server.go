package serving

import (
	"context"
	"log/slog"
	"net"
	"sync"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/refusals"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone/internal/gamelist"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// A Server is the common part of the lobbies over TCP: connections, and the games that they
// share meanwhile.
type Server struct {
	Once  sync.Once // for Init
	Games *warzonegames.Games

	server  stream.Server
	checker gamelist.Checker[warzonegames.Entry]
}

// Settings are the settings of a Server.
type Settings struct {
	Games    *warzonegames.Games // nil means an empty list
	Limits   lobbywire.ConnLimits
	MaxFrame int // of requests, in bytes
	Logger   *slog.Logger
	Refusals *refusals.Reporter
	Handler  func(ctx context.Context, c *stream.Conn)
	Checker  gamelist.Checker[warzonegames.Entry] // of games
}

// Init prepares a Server.
func (s *Server) Init(settings Settings) {
	s.Games = settings.Games
	if s.Games == nil {
		s.Games = new(warzonegames.Games)
	}
	s.server.Handler, s.server.Limits, s.server.Defaults = settings.Handler, settings.Limits, DefaultLimits()
	s.server.MaxFrame, s.server.Logger = settings.MaxFrame, settings.Logger
	s.server.Refusals = settings.Refusals
	s.checker = settings.Checker
}

// Serve answers connections. Meanwhile the Store shares the games, and they are checked.
func (s *Server) Serve(ln net.Listener) error {
	if s.Games != nil { // not after an end without a start
		defer s.Games.ForLobbies().Share()()
		defer s.Games.ForLobbies().Check(s.checker)()
	}
	return s.server.Serve(ln)
}

// Resume serves a connection that another process has accepted, with handler in place of
// the handler of the Settings. If it cannot, it closes the connection and returns false.
func (s *Server) Resume(conn net.Conn, handler func(ctx context.Context, c *stream.Conn)) bool {
	return s.server.Resume(conn, handler)
}

// SetLimits replaces the limits of connections.
func (s *Server) SetLimits(l lobbywire.ConnLimits) { s.server.SetLimits(l) }

// Shutdown stops accepting connections, answers pending requests, and returns when every
// Serve has returned or ctx is done.
func (s *Server) Shutdown(ctx context.Context) error { return s.server.Shutdown(ctx) }

// Close closes all connections at once, as Shutdown does when ctx is done.
func (s *Server) Close() error { return s.server.Close() }

// Stats returns the counts of connections.
func (s *Server) Stats() lobbywire.ConnStats { return s.server.Stats() }
