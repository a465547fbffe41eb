package stream

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// A Server is the loop behind a protocol's Server. All fields but Logger must
// be set, and must not change while it serves.
type Server struct {
	// Handler serves one connection, which is closed when it returns. Next
	// fails after Shutdown, and all of the connection after Close, which ends
	// ctx too.
	Handler func(ctx context.Context, c *Conn)

	Limits      Limits
	MaxBuffered int64 // bytes that buffers of all connections beyond smallBuffer may take

	MaxConns      int
	MaxPerAddress int // connections of an IPv4 address or an IPv6 /64
	MaxPerPrefix  int // connections of an IPv4 /24 or an IPv6 /48

	Logger    *slog.Logger // nil is silent
	ErrClosed error        // what Serve returns after Shutdown or Close

	ctx      context.Context // of handlers
	cancel   context.CancelFunc
	closed   chan struct{} // closed by stop
	serving  sync.WaitGroup
	stats    counters
	buffered atomic.Int64
	once     sync.Once

	mu        sync.Mutex
	listeners map[net.Listener]struct{}
	conns     map[*Conn]struct{}
	sources   sources
}

type counters struct{ accepted, refused, timedOut, tooLong atomic.Uint64 }

// Stats counts connections since the Server was made.
type Stats struct {
	Accepted uint64
	Refused  uint64 // closed at once for a limit on connections
	Open     int    // now
	TimedOut uint64 // ended because the peer took too long to send
	TooLong  uint64 // ended by a message that is too long
}

// Stats returns a snapshot.
func (s *Server) Stats() Stats {
	s.once.Do(s.init)
	s.mu.Lock()
	open := len(s.conns)
	s.mu.Unlock()
	return Stats{
		Accepted: s.stats.accepted.Load(),
		Refused:  s.stats.refused.Load(),
		Open:     open,
		TimedOut: s.stats.timedOut.Load(),
		TooLong:  s.stats.tooLong.Load(),
	}
}

// take takes n bytes for a larger buffer, if there are as many. A client's
// connection, for which s is nil, may have any.
func (s *Server) take(n int) bool {
	if s == nil {
		return true
	}
	if s.buffered.Add(int64(n)) > s.MaxBuffered {
		s.buffered.Add(-int64(n))
		return false
	}
	return true
}

// give gives back what was taken.
func (s *Server) give(n int) {
	if s != nil {
		s.buffered.Add(-int64(n))
	}
}

func (s *Server) init() {
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.closed = make(chan struct{})
	s.listeners = make(map[net.Listener]struct{})
	s.conns = make(map[*Conn]struct{})
	s.sources = sources{perAddress: s.MaxPerAddress, perPrefix: s.MaxPerPrefix}
}

// Serve accepts connections until Shutdown or Close. It owns l and closes it.
// The error is never nil.
func (s *Server) Serve(l net.Listener) error {
	s.once.Do(s.init)
	if !s.add(l) {
		return errors.Join(s.ErrClosed, l.Close())
	}
	defer s.remove(l)
	err := s.loop(l)
	if s.isClosed() {
		return s.ErrClosed
	}
	return err
}

func (s *Server) add(l net.Listener) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isClosed() {
		return false
	}
	s.listeners[l] = struct{}{}
	s.serving.Add(1)
	return true
}

func (s *Server) remove(l net.Listener) {
	l.Close()
	s.mu.Lock()
	delete(s.listeners, l)
	s.mu.Unlock()
	s.serving.Done()
}

func (s *Server) isClosed() bool {
	select {
	case <-s.closed:
		return true
	default:
		return false
	}
}

// Errors of accepting are mostly about one connection, or pass when others
// close, so the loop goes on after them, slower if they repeat.
const (
	minPause = 5 * time.Millisecond
	maxPause = time.Second
)

func (s *Server) loop(l net.Listener) error {
	pause := time.Duration(0)
	for {
		c, err := l.Accept()
		if err == nil {
			pause = 0
			s.accept(c)
			continue
		}
		var passing net.Error
		if errors.Is(err, net.ErrClosed) || s.isClosed() || !errors.As(err, &passing) {
			return err
		}
		pause = min(max(2*pause, minPause), maxPause)
		if s.Logger != nil {
			s.Logger.LogAttrs(s.ctx, slog.LevelWarn, "accept failed", slog.Any("error", err), slog.Duration("pause", pause))
		}
		s.pause(pause)
	}
}

// pause waits, but not beyond the end of serving.
func (s *Server) pause(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-s.closed:
	}
}

// accept serves a connection in a goroutine of its own, within the limits.
func (s *Server) accept(conn net.Conn) {
	c := NewConn(conn, s.Limits)
	c.server = s
	s.mu.Lock()
	welcome := !s.isClosed() && len(s.conns) < s.MaxConns && s.sources.add(c.remote.Addr())
	if welcome {
		s.conns[c] = struct{}{}
		s.serving.Add(1)
	}
	s.mu.Unlock()
	if !welcome {
		s.stats.refused.Add(1)
		conn.Close()
		return
	}
	s.stats.accepted.Add(1)
	go s.serve(c)
}

func (s *Server) serve(c *Conn) {
	defer s.serving.Done()
	s.Handler(s.ctx, c)
	c.Close()
	c.free()
	s.mu.Lock()
	delete(s.conns, c)
	s.sources.remove(c.remote.Addr())
	s.mu.Unlock()
}

// Shutdown stops accepting and reading, lets answers to what was read go out,
// and returns when every Serve and Handler has returned or ctx is done; then it
// closes at once.
func (s *Server) Shutdown(ctx context.Context) error {
	s.once.Do(s.init)
	err := s.stop(func(c *Conn) { c.End(s.ErrClosed) })
	done := make(chan struct{})
	go func() {
		s.serving.Wait()
		s.cancel()
		close(done)
	}()
	select {
	case <-done:
		return err
	case <-ctx.Done():
		err := errors.Join(context.Cause(ctx), s.Close())
		<-done
		return err
	}
}

// Close closes all connections at once and waits for every Serve and Handler to
// return.
func (s *Server) Close() error {
	s.once.Do(s.init)
	s.cancel()
	err := s.stop(func(c *Conn) {
		c.End(s.ErrClosed)
		c.Close()
	})
	s.serving.Wait()
	return err
}

func (s *Server) stop(each func(c *Conn)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.isClosed() {
		close(s.closed)
	}
	var errs []error
	for l := range s.listeners {
		if err := l.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
			errs = append(errs, err)
		}
	}
	for c := range s.conns {
		each(c)
	}
	return errors.Join(errs...)
}
