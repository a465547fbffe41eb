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

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/lifecycle"
	"github.com/lobbywire/lobbywire/internal/limit"
)

// A Handler answers a request that was read at the time now by appending datagrams
// to dst, or none; see [Next]. It must not keep req or dst. An IPv4 address is never in
// IPv6 form. Serve calls it from one goroutine per connection.
type Handler func(now time.Time, from netip.AddrPort, req []byte, dst [][]byte) [][]byte

// How many datagrams one system call reads or writes.
const (
	batchSize = 64

	// clientBatch is for the reads of clients. Each of several sockets has few datagrams,
	// and each that a call may read takes time and memory.
	clientBatch = 16
)

// A Server is the loop behind a protocol's Server or Master.
type Server struct {
	Handler    Handler
	MaxRequest int           // longer datagrams are dropped
	Logger     *slog.Logger  // nil is silent
	Limiter    limit.Limiter // for Handler, of requests whose senders are unverified
	Verified   limit.Limiter // for Handler, of those whose senders are verified
	Proven     *limit.Proven // for Handler, prefixes of verified senders, if it verifies any
	Minter     Minter        // for Handler

	once  sync.Once
	life  lifecycle.Server
	stats counters
}

// Start calls set, which sets the fields, if it has not been called before. It
// returns s.
func (s *Server) Start(set func()) *Server {
	s.once.Do(func() {
		set()
		s.Limiter.Proven, s.Verified.Proves = s.Proven, s.Proven
	})
	return s
}

// Respond appends the answers to a request that was read just now.
func (s *Server) Respond(from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
	return s.Handler(time.Now(), Unmap(from), req, dst)
}

type counters struct{ received, answered, oversized, failed atomic.Uint64 }

// Stats returns a snapshot.
func (s *Server) Stats() lobbywire.PacketStats {
	return lobbywire.PacketStats{
		Received:  s.stats.received.Load(),
		Sent:      s.stats.answered.Load(),
		Oversized: s.stats.oversized.Load(),
		Failed:    s.stats.failed.Load(),
	}
}

// A socket is a connection that a lifecycle.Server ends.
type socket struct{ net.PacketConn }

func (s socket) End() error { return s.SetReadDeadline(time.Unix(1, 0)) }

// Serve answers datagrams until Shutdown or Close. It closes pc. The error is never
// nil. The socket gets a large receive buffer, because many clients or servers may send
// at one moment.
func (s *Server) Serve(pc net.PacketConn) error {
	ReceiveBuffer(pc)
	return s.life.Serve(socket{pc}, func() error { return s.loop(newConn(pc, s.MaxRequest, batchSize)) })
}

func (s *Server) loop(c Conn) error {
	var answers [][]byte
	var failures Failures
	for {
		n, err := c.Read()
		if err != nil {
			if errors.Is(err, net.ErrClosed) || s.life.IsEnding() {
				return err
			}
			before := failures
			if failures.Add(err) {
				return err
			}
			if failures > before {
				if s.Logger != nil {
					s.Logger.LogAttrs(s.life.Context(), slog.LevelDebug, "read failed", slog.Any("error", err))
				}
				s.life.Pause(lifecycle.PauseAfter(int(failures)))
			}
			continue
		}
		failures.Add(nil)
		now := time.Now() // once per batch: it takes as long as a short answer
		for i := range n {
			from, req, ok := c.Packet(i)
			if !ok {
				s.stats.oversized.Add(1)
				continue
			}
			s.stats.received.Add(1)
			answers = s.Handler(now, from, req, answers[:0])
			s.sent(c.Answer(i, answers))
		}
		s.sent(c.Flush())
	}
}

// Send sends a datagram from every socket of Serve, and reports whether there is one.
func (s *Server) Send(to netip.AddrPort, b []byte) (ok bool) {
	s.life.Each(func(p lifecycle.Part) {
		p.(socket).WriteTo(b, net.UDPAddrFromAddrPort(to))
		ok = true
	})
	return ok
}

// sent adds the results of a Conn's methods to the counters.
func (s *Server) sent(sent, failed int) {
	if sent > 0 {
		s.stats.answered.Add(uint64(sent))
	}
	if failed > 0 {
		s.stats.failed.Add(uint64(failed))
	}
}

// Shutdown stops reading, sends the answers to what was read, and returns when
// every Serve has returned or ctx is done; then it closes at once.
func (s *Server) Shutdown(ctx context.Context) error { return s.life.Shutdown(ctx) }

// Close closes all sockets at once and waits for every Serve to return.
func (s *Server) Close() error { return s.life.Close() }
