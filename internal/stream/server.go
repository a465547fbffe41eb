// Package stream contains what the TCP helpers share: a loop that accepts connections
// within limits, and connections that read whole messages within deadlines.
package stream

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/lifecycle"
	"github.com/lobbywire/lobbywire/internal/refusals"
	"github.com/lobbywire/lobbywire/internal/source"
)

// A Server is the loop behind a protocol's Server. All fields except Limits, Logger and
// Refusals must be set, and must not change while it serves.
type Server struct {
	// Handler serves one connection, which is closed when it returns. Next fails
	// after Shutdown, and so does writing after Close, which also ends ctx.
	Handler func(ctx context.Context, c *Conn)

	Limits   lobbywire.ConnLimits
	Defaults lobbywire.ConnLimits // take the place of zero Limits
	MaxFrame int                  // see [Limits]

	Logger   *slog.Logger       // nil is silent
	Refusals *refusals.Reporter // gets connections beyond the limits; may be nil

	life     lifecycle.Server
	once     sync.Once
	limits   atomic.Pointer[lobbywire.ConnLimits]
	stats    counters
	buffered atomic.Int64
	failed   lifecycle.Lines // to accept

	mu   sync.Mutex
	open source.Counter
}

type counters struct{ accepted, refused, timedOut, tooLong atomic.Uint64 }

func (s *Server) init() { s.setLimits(s.Limits) }

// SetLimits replaces Limits while the server serves. Deadlines of open connections stay.
func (s *Server) SetLimits(l lobbywire.ConnLimits) {
	s.once.Do(s.init)
	s.setLimits(l)
}

func (s *Server) setLimits(l lobbywire.ConnLimits) {
	l = limitsOr(l, s.Defaults)
	s.limits.Store(&l)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open.Max, s.open.MaxPerAddress, s.open.MaxPerPrefix = l.MaxConns, l.MaxPerAddress, l.MaxPerPrefix
}

// CurrentLimits returns the limits with the defaults in place of zeros, once the server
// serves.
func (s *Server) CurrentLimits() lobbywire.ConnLimits { return *s.limits.Load() }

// newConn returns a connection with the limits.
func (s *Server) newConn(c net.Conn) *Conn {
	l := s.limits.Load()
	return NewConn(c, Limits{First: l.First, Frame: l.Frame, Idle: l.Idle, Write: l.Write, MaxFrame: s.MaxFrame})
}

// Stats returns a snapshot.
func (s *Server) Stats() lobbywire.ConnStats {
	s.mu.Lock()
	open := s.open.Len()
	s.mu.Unlock()
	return lobbywire.ConnStats{
		Accepted: s.stats.accepted.Load(),
		Refused:  s.stats.refused.Load(),
		Open:     open,
		TimedOut: s.stats.timedOut.Load(),
		TooLong:  s.stats.tooLong.Load(),
	}
}

// take takes n bytes of the budget for a larger buffer, and reports whether the budget
// had them. The connection of a client, for which s is nil, has no budget.
func (s *Server) take(n int) bool {
	if s == nil {
		return true
	}
	if s.buffered.Add(int64(n)) > s.limits.Load().MaxBuffered {
		s.buffered.Add(-int64(n))
		return false
	}
	return true
}

// give returns n bytes to the budget.
func (s *Server) give(n int) {
	if s != nil {
		s.buffered.Add(-int64(n))
	}
}

// A listener is a part of the life of a Server.
type listener struct{ net.Listener }

func (l listener) End() error { return l.Close() }

// A connection is another part.
type connection struct{ *Conn }

func (c connection) End() error {
	c.Conn.End(lobbywire.ErrClosed)
	return nil
}

func (c connection) Close() error {
	c.Conn.End(lobbywire.ErrClosed)
	return c.Conn.Close()
}

// Serve accepts connections until Shutdown or Close. It closes l. The error is never
// nil.
func (s *Server) Serve(l net.Listener) error {
	s.once.Do(s.init)
	return s.life.Serve(listener{l}, func() error { return s.loop(l) })
}

// loop accepts connections. It continues after errors of single connections, and after
// errors that pass when other connections close.
func (s *Server) loop(l net.Listener) error {
	failures := 0
	for {
		c, err := l.Accept()
		if err == nil {
			failures = 0
			s.accept(s.newConn(c), s.Handler)
			continue
		}
		var passing net.Error
		if errors.Is(err, net.ErrClosed) || s.life.IsEnding() || !errors.As(err, &passing) {
			return err
		}
		failures++
		if omitted, ok := s.failed.Allow(time.Now()); ok && s.Logger != nil {
			s.Logger.LogAttrs(s.life.Context(), slog.LevelWarn, "accept failed", slog.Any("error", err),
				slog.Int("omitted", omitted))
		}
		s.life.Pause(lifecycle.PauseAfter(failures))
	}
}

// Resume serves a connection that another process has accepted, with handler instead of
// Handler, and reports whether the limits allow that. Otherwise it closes the connection.
// Limits.First does not apply.
func (s *Server) Resume(conn net.Conn, handler func(ctx context.Context, c *Conn)) bool {
	s.once.Do(s.init)
	c := s.newConn(conn)
	c.heard = time.Now()
	return s.accept(c, handler)
}

// accept serves a connection in a new goroutine and returns true, unless there are too
// many connections or the server is ending.
func (s *Server) accept(c *Conn, handler func(ctx context.Context, c *Conn)) bool {
	c.server = s
	s.mu.Lock()
	ok := s.open.Add(c.remote.Addr())
	var of source.Scope
	limit := 0
	if !ok {
		of, limit = s.open.Exceeded(c.remote.Addr())
	}
	if ok && !s.life.Add(connection{c}) {
		s.open.Remove(c.remote.Addr())
		ok = false
	}
	s.mu.Unlock()
	if !ok {
		s.stats.refused.Add(1)
		if limit != 0 {
			s.Refusals.Conns(c.remote.Addr(), of, limit)
		}
		c.conn.Close()
		return false
	}
	s.stats.accepted.Add(1)
	go s.serve(c, handler)
	return true
}

func (s *Server) serve(c *Conn, handler func(ctx context.Context, c *Conn)) {
	defer s.life.Remove(connection{c})
	handler(s.life.Context(), c)
	c.Close()
	c.free()
	s.mu.Lock()
	s.open.Remove(c.remote.Addr())
	s.mu.Unlock()
}

// Shutdown stops accepting and reading, except for the rest of messages that have begun, and
// returns when every Serve and Handler has returned. When ctx is done first, it closes all
// connections.
func (s *Server) Shutdown(ctx context.Context) error { return s.life.Shutdown(ctx) }

// Close closes all connections at once and waits for every Serve and Handler to
// return.
func (s *Server) Close() error { return s.life.Close() }
