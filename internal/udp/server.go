package udp

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// A Handler answers a request, which was read at the time now, by appending
// datagrams to dst, none for no answer; see [Next]. It must keep neither req nor
// dst. Serve calls it from one goroutine per connection.
type Handler func(now time.Time, from netip.AddrPort, req []byte, dst [][]byte) [][]byte

// Next makes dst one longer. The new last element is empty, but keeps the
// memory it had: append an answer to it.
func Next(dst [][]byte) [][]byte {
	if len(dst) == cap(dst) {
		return append(dst, nil)
	}
	dst = dst[:len(dst)+1]
	dst[len(dst)-1] = dst[len(dst)-1][:0]
	return dst
}

// batchSize is how many datagrams one call reads or writes.
const batchSize = 64

// A Server is the loop behind a protocol's Server.
type Server struct {
	Handler    Handler
	MaxRequest int          // longer datagrams are dropped
	Logger     *slog.Logger // nil is silent
	ErrClosed  error        // what Serve returns after Shutdown or Close
	stats      counters
	mu         sync.Mutex
	conns      map[net.PacketConn]struct{}
	closed     chan struct{} // closed by stop
	serving    sync.WaitGroup
}

type counters struct{ received, answered, oversized, failed atomic.Uint64 }

// Stats counts datagrams since the Server was made.
type Stats struct {
	Received  uint64 // requests that were handled
	Sent      uint64 // datagrams of answers
	Oversized uint64 // requests dropped for their size
	Failed    uint64 // datagrams of answers that the system refused to send
}

// Stats returns a snapshot.
func (s *Server) Stats() Stats {
	return Stats{
		Received:  s.stats.received.Load(),
		Sent:      s.stats.answered.Load(),
		Oversized: s.stats.oversized.Load(),
		Failed:    s.stats.failed.Load(),
	}
}

// Serve answers datagrams until Shutdown or Close. It owns pc and closes it.
// The error is never nil.
func (s *Server) Serve(pc net.PacketConn) error {
	if !s.add(pc) {
		return errors.Join(s.ErrClosed, pc.Close())
	}
	defer s.remove(pc)
	err := s.loop(newConn(pc, s.MaxRequest))
	if s.isClosed() {
		return s.ErrClosed
	}
	return err
}

func (s *Server) add(pc net.PacketConn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.makeLocked()
	if s.isClosed() {
		return false
	}
	s.conns[pc] = struct{}{}
	s.serving.Add(1)
	return true
}

func (s *Server) remove(pc net.PacketConn) {
	pc.Close()
	s.mu.Lock()
	delete(s.conns, pc)
	s.mu.Unlock()
	s.serving.Done()
}

// makeLocked makes what the zero Server lacks.
func (s *Server) makeLocked() {
	if s.closed == nil {
		s.closed = make(chan struct{})
		s.conns = make(map[net.PacketConn]struct{})
	}
}

func (s *Server) isClosed() bool {
	select {
	case <-s.closed:
		return true
	default:
		return false
	}
}

// Errors of a datagram socket are mostly about one peer, so the loop goes on
// after them, slower if they repeat.
const (
	minPause  = 5 * time.Millisecond
	maxPause  = time.Second
	maxErrors = 100 // in a row; then the socket is broken
)

func (s *Server) loop(c Conn) error {
	var answers [][]byte
	failures := 0
	for {
		n, err := c.Read()
		if err != nil {
			if errors.Is(err, net.ErrClosed) || s.isClosed() {
				return err
			}
			failures++
			if failures == maxErrors {
				return err
			}
			s.debug("read failed", err)
			s.pause(min(minPause<<min(failures, 10), maxPause))
			continue
		}
		failures = 0
		now := time.Now() // once: it costs as much as the rest of a short answer
		for i := range n {
			from, req, ok := c.Packet(i)
			if !ok {
				s.stats.oversized.Add(1)
				continue
			}
			s.stats.received.Add(1)
			answers = s.Handler(now, from, req, answers[:0])
			for j := range answers {
				s.sent(c.Answer(i, &answers[j]))
			}
		}
		s.sent(c.Flush())
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

// sent counts what a Conn says it did with answers.
func (s *Server) sent(sent, failed int) {
	if sent > 0 {
		s.stats.answered.Add(uint64(sent))
	}
	if failed > 0 {
		s.stats.failed.Add(uint64(failed))
	}
}

func (s *Server) debug(msg string, err error) {
	if s.Logger != nil {
		s.Logger.LogAttrs(context.Background(), slog.LevelDebug, msg, slog.Any("error", err))
	}
}

// Shutdown stops reading, lets answers to what was read go out, and returns
// when every Serve has returned or ctx is done; then it closes at once.
func (s *Server) Shutdown(ctx context.Context) error {
	s.stop(func(pc net.PacketConn) error { return pc.SetReadDeadline(time.Unix(1, 0)) })
	done := make(chan struct{})
	go func() {
		s.serving.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		err := errors.Join(context.Cause(ctx), s.Close())
		<-done
		return err
	}
}

// Close closes all connections at once and waits for every Serve to return.
func (s *Server) Close() error {
	err := s.stop(net.PacketConn.Close)
	s.serving.Wait()
	return err
}

func (s *Server) stop(each func(net.PacketConn) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.makeLocked()
	if !s.isClosed() {
		close(s.closed)
	}
	var errs []error
	for pc := range s.conns {
		if err := each(pc); err != nil && !errors.Is(err, net.ErrClosed) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
