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

// A Handler answers a request that was read at the time now by appending datagrams to dst,
// or none; see [Next]. They are sent from local, the address at which the request arrived,
// which is not valid if it is unknown. The Handler must not keep req or dst. An IPv4
// address is never in IPv6 form. Serve calls it from one goroutine per connection.
type Handler func(now time.Time, local netip.Addr, from netip.AddrPort, req []byte, dst [][]byte) ([][]byte, Outcome)

// An Outcome says what a Handler did with a datagram.
type Outcome int

// The outcomes. The ones after Handled are reasons why a request has no answer.
const (
	Foreign     Outcome = iota // it is not of the protocol, or malformed
	Handled                    // answered, or without an answer by design
	Unverified                 // its token or challenge is wrong or has expired
	Limited                    // it is over a rate limit
	Unsupported                // it is of the protocol, but no request that the server answers
	outcomes
)

// maxOther is the length of the longest datagram that Other gets.
const maxOther = 2048

// A Server is the loop behind a protocol's Server or Master.
type Server struct {
	Handler    Handler
	MaxRequest int           // longer datagrams are not of the protocol
	Logger     *slog.Logger  // nil is silent
	Limiter    limit.Limiter // for Handler, of requests whose senders are unverified
	Verified   limit.Limiter // for Handler, of requests whose senders are verified
	Proven     *limit.Proven // for Handler, prefixes of verified senders, if it verifies any
	Minter     Minter        // for Handler

	// Other answers what is Foreign, if it is not nil. It reports whether it knows the protocol.
	Other func(local netip.Addr, from netip.AddrPort, req []byte, dst [][]byte) ([][]byte, bool)

	// Refresh, if it is not nil, updates the state from which Handler answers; see Demand.
	Refresh func()

	once  sync.Once
	life  lifecycle.Server
	stats counters
	demand
}

// Start calls set, which sets the fields, if it has not been called before. It
// returns s.
func (s *Server) Start(set func()) *Server {
	s.once.Do(func() {
		set()
		s.demand.since = time.Now()
		s.Limiter.Proven, s.Verified.Proves = s.Proven, s.Proven
	})
	return s
}

// Respond appends the answers to a request that was read just now, at an unknown address.
func (s *Server) Respond(from netip.AddrPort, req []byte, dst [][]byte) (answers [][]byte, ok bool) {
	return s.RespondAt(netip.Addr{}, from, req, dst)
}

// RespondAt is Respond for a request that arrived at a local address.
func (s *Server) RespondAt(
	local netip.Addr, from netip.AddrPort, req []byte, dst [][]byte,
) (answers [][]byte, ok bool) {
	answers, ok = s.handle(time.Now(), local.Unmap(), Unmap(from), req, dst)
	s.sent(len(answers)-len(dst), 0)
	return answers, ok
}

// handle passes a datagram to Handler or Other, and counts it.
func (s *Server) handle(
	now time.Time, local netip.Addr, from netip.AddrPort, req []byte, dst [][]byte,
) (answers [][]byte, ok bool) {
	if s.isStateless() {
		s.Demand(now) // a Handler may read requests by its state
	}
	outcome := Foreign
	if len(req) <= s.MaxRequest {
		dst, outcome = s.Handler(now, local, from, req, dst)
	}
	if outcome == Foreign && s.Other != nil {
		if dst, ok = s.Other(local, from, req, dst); ok {
			outcome = Handled
		}
	}
	s.stats.received.Add(1)
	if outcome != Handled {
		s.stats.outcomes[outcome].Add(1)
	}
	return dst, outcome != Foreign
}

type counters struct {
	received, answered, oversized, failed atomic.Uint64
	outcomes                              [outcomes]atomic.Uint64 // but Handled
}

// Stats returns a snapshot.
func (s *Server) Stats() lobbywire.PacketStats {
	return lobbywire.PacketStats{
		Received:  s.stats.received.Load(),
		Sent:      s.stats.answered.Load(),
		Oversized: s.stats.oversized.Load(),
		Failed:    s.stats.failed.Load(),
		Unknown:   s.stats.outcomes[Foreign].Load(),
	}
}

// ServerStats returns the snapshot of a game server.
func (s *Server) ServerStats() lobbywire.ServerStats {
	return lobbywire.ServerStats{
		PacketStats: s.Stats(),
		Unverified:  s.stats.outcomes[Unverified].Load(),
		Limited:     s.stats.outcomes[Limited].Load(),
		Unsupported: s.stats.outcomes[Unsupported].Load(),
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
	longest := s.MaxRequest
	if s.Other != nil {
		longest = max(longest, maxOther)
	}
	return s.life.Serve(socket{pc}, func() error { return s.loop(newServerConn(pc, longest)) })
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
			answers, _ = s.handle(now, c.Local(i), from, req, answers[:0])
			s.sent(c.Answer(i, answers))
		}
		s.sent(c.Flush())
	}
}

// Send sends a datagram from a local address, or from any if it is not valid, with every
// socket of Serve that is bound to it or to all. It reports whether there is one.
func (s *Server) Send(local netip.Addr, to netip.AddrPort, b []byte) (ok bool) {
	s.life.Each(func(p lifecycle.Part) {
		pc := p.(socket).PacketConn
		if bound := boundTo(pc); local.IsValid() && bound.IsValid() && bound != local {
			return
		}
		_ = sendFrom(pc, local, net.UDPAddrFromAddrPort(to), b) // lost, as any datagram may be
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
