package sqpnet

import (
	"context"
	"log/slog"
	"net"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/internal/udp"
	"github.com/lobbywire/lobbywire/sqp"
)

// A Server answers queries about one game server. Its zero value is ready and
// answers with zeros until Set; fields must not change while it serves.
type Server struct {
	// Limits are in requests a second. Queries with a valid token have separate limits of
	// the same size, so that a flood of forged requests does not affect clients with a
	// token. The defaults are
	//
	//	PerSource     100
	//	PerPrefix    1600
	//	Global    100 000
	Limits lobbywire.Rates

	// Other handles datagrams of other protocols on the socket of Serve, such as the game's
	// own, of up to 2048 bytes, and reports whether it knows them. A datagram arrived at
	// the address local, which is not valid if unknown. nil ignores them.
	Other func(local netip.Addr, from netip.AddrPort, req []byte, dst [][]byte) (answers [][]byte, ok bool)

	// Refresh, unless nil, should call Set or SetView. It is called before a query with a
	// valid token is answered, but at most ten times a second, as package [lobbywire]
	// describes.
	Refresh func()

	Logger *slog.Logger // nil is silent

	loop  udp.Server
	state atomic.Pointer[sqp.Prepared]
}

func (s *Server) start() *udp.Server {
	return s.loop.Start(func() {
		s.loop.Handler = s.respond
		s.loop.MaxRequest = 64
		s.loop.Logger = s.Logger
		s.loop.Other = s.Other
		s.loop.Refresh = s.Refresh
		rates := limit.RatesOf(s.Limits, lobbywire.Rates{PerSource: 100, PerPrefix: 1600, Global: 100_000})
		s.loop.Limiter.Set(rates)
		s.loop.Verified.Set(rates)
		s.loop.Proven = new(limit.Proven)
		s.loop.Minter.Slot = 10 * time.Second
		empty, _ := State{}.prepare() // which never fails
		s.state.CompareAndSwap(nil, empty)
	})
}

// Set replaces the state of the server. It may be called at any time. It fails if state
// cannot be encoded, or if its chunks have a total of more than 65535 bytes; on error, the
// state is unchanged. An answer of more than [sqp.MaxDatagram] bytes is split, see the
// package documentation.
func (s *Server) Set(state State) error {
	p, err := state.prepare()
	if err != nil {
		return err
	}
	s.state.Store(p)
	return nil
}

// Respond appends the answers to a request to dst. The caller must send them from the address
// at which the request arrived. ok reports
// whether the datagram is of this protocol. Package [lobbywire] describes it.
func (s *Server) Respond(from netip.AddrPort, req []byte, dst [][]byte) (answers [][]byte, ok bool) {
	return s.start().Respond(from, req, dst)
}

func (s *Server) respond(
	now time.Time, _ netip.Addr, from netip.AddrPort, req []byte, dst [][]byte,
) ([][]byte, udp.Outcome) {
	m, err := sqp.ParseRequest(req)
	if err != nil {
		return dst, udp.Foreign
	}
	if m.Type == sqp.TypeChallenge {
		switch {
		case m.Challenge.Token != 0: // it may be a response, whose layout is the same
			return dst, udp.Unsupported
		case !s.loop.Limiter.Allow(from.Addr(), now):
			return dst, udp.Limited
		}
		return udp.AppendMessage(dst, sqp.ChallengeResponse{Token: s.loop.Minter.Token(from, now)}), udp.Handled
	}
	switch {
	case m.Query.Version > sqp.VersionMetrics:
		return dst, udp.Unsupported
	case m.Query.Version < sqp.VersionMetrics:
		m.Query.Chunks &^= sqp.ChunkMetrics // as Unity's Go server does
	}
	if !s.loop.Minter.Valid(from, m.Query.Token, now) {
		return dst, udp.Unverified
	}
	if !s.loop.Verified.Allow(from.Addr(), now) {
		return dst, udp.Limited
	}
	s.loop.Demand(now)
	state := s.state.Load()
	for n := range state.Packets(m.Query) {
		dst = udp.Next(dst)
		last := &dst[len(dst)-1]
		*last = state.AppendPacket(*last, m.Query, n)
	}
	return dst, udp.Handled
}

// Serve answers requests that arrive on pc until Shutdown or Close. It closes
// pc. Its error is never nil; it is [lobbywire.ErrClosed] after Shutdown and
// Close.
func (s *Server) Serve(pc net.PacketConn) error { return s.start().Serve(pc) }

// Stats returns the counts of datagrams that Serve and Respond have received and sent.
func (s *Server) Stats() lobbywire.ServerStats { return s.loop.ServerStats() }

// Shutdown ends every Serve once it has answered the requests that it has read.
func (s *Server) Shutdown(ctx context.Context) error { return s.loop.Shutdown(ctx) }

// Close ends every Serve at once.
func (s *Server) Close() error { return s.loop.Close() }
