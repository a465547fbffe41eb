package gamespy2net

import (
	"context"
	"log/slog"
	"net"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/internal/registration"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// A Server answers queries about one game server. Its zero value is ready and
// answers with nothing until Set; fields must not change while it serves.
type Server struct {
	// Challenge selects the queries that are answered.
	Challenge ChallengeMode

	Limits ServerLimits

	// Other handles datagrams of other protocols on the socket of Serve, such as the game's
	// own, of up to 2048 bytes, and reports whether it knows them. A datagram arrived at
	// the address local, which is not valid if unknown. nil ignores them.
	Other func(local netip.Addr, from netip.AddrPort, req []byte, dst [][]byte) (answers [][]byte, ok bool)

	// Refresh, unless nil, should call Set or SetView. It is called before a query is
	// answered and before a Registration sends to its master, but at most ten times a
	// second, as package [lobbywire] describes.
	Refresh func()

	Logger *slog.Logger // nil is silent

	loop              registration.Server[task]
	unverified        limit.Limiter
	state             atomic.Pointer[encoded]
	challengeRequired atomic.Bool // a master has told the server to use ChallengeRequired
}

// ServerLimits bounds how often a [Server] answers.
type ServerLimits struct {
	// Rates limit requests a second. A client that uses challenges sends two requests for
	// each answer. Unverified and verified sources have separate limits of the same size.
	// The defaults are
	//
	//	PerSource     100
	//	PerPrefix    1600
	//	Global    100 000
	lobbywire.Rates

	// Unverified limits the queries a second of unverified sources, which also count
	// as requests. The bursts of sources and prefixes are three times as large as
	// the rates, because some clients query each section separately. The defaults are
	//
	//	PerSource  10
	//	PerPrefix  20
	//	Global    200
	Unverified lobbywire.Rates
}

func (s *Server) start() *registration.Server[task] {
	return s.loop.Start(func() {
		s.loop.Handler = s.respond
		s.loop.MaxRequest = gamespy2.MaxRequest
		s.loop.Logger = s.Logger
		s.loop.Other = s.Other
		s.loop.Refresh = s.Refresh
		rates := limit.RatesOf(s.Limits.Rates, lobbywire.Rates{PerSource: 100, PerPrefix: 1600, Global: 100_000})
		s.loop.Limiter.Set(rates)
		s.loop.Verified.Set(rates)
		s.loop.Minter.Slot = 10 * time.Second
		s.loop.Proven = new(limit.Proven)
		s.unverified.Proven = s.loop.Proven
		unverified := limit.RatesOf(s.Limits.Unverified, lobbywire.Rates{PerSource: 10, PerPrefix: 20, Global: 200})
		unverified.PerSource.Burst *= 3
		unverified.PerPrefix.Burst *= 3
		s.unverified.Set(unverified)
		empty, _ := State{}.encode() // never fails
		s.state.CompareAndSwap(nil, empty)
	})
}

// Set replaces the state of the server. It may be called at any time. It fails if state
// cannot be encoded in a form that every client reads, see [gamespy2.Response.Packets]; on
// error, the state is unchanged. If players can choose long names, set
// [gamespy2.CutColumns] in that case and try again.
func (s *Server) Set(state State) error {
	e, err := state.encode()
	if err != nil {
		return err
	}
	s.set(e)
	return nil
}

// set replaces the state, and wakes the registrations.
func (s *Server) set(e *encoded) {
	s.state.Store(e)
	for _, known := range s.loop.Masters() {
		known.Runner.Wake.Send()
	}
}

// Respond appends the answers to a request, or to a datagram of a master, to dst. The
// caller must send them from the address at which the datagram arrived. ok reports whether
// the datagram is of this protocol. Package [lobbywire] describes it.
func (s *Server) Respond(from netip.AddrPort, req []byte, dst [][]byte) (answers [][]byte, ok bool) {
	return s.start().Respond(from, req, dst)
}

func (s *Server) respond(
	now time.Time, _ netip.Addr, from netip.AddrPort, req []byte, dst [][]byte,
) ([][]byte, udp.Outcome) {
	if answers, ok := s.answerMaster(from, req, now, dst); ok {
		return answers, udp.Handled
	}
	challenges := challenges{s.mode(), &s.loop.Minter}
	q, outcome := challenges.parse(s.state.Load().basicStat != nil, now, from, req)
	if outcome != udp.Handled {
		return dst, outcome
	}
	limiter := &s.loop.Limiter
	if q.verified {
		limiter = &s.loop.Verified
	}
	if !limiter.Allow(from.Addr(), now) {
		return dst, udp.Limited
	}
	switch q.Type {
	case gamespy2.TypeChallenge:
		m := gamespy2.ChallengeResponse{ID: q.ID, Number: challenges.make(from, now)}
		return udp.AppendMessage(dst, m), udp.Handled // cannot fail
	case gamespy2.TypeEcho:
		// Data that is too long gets no answer.
		return udp.AppendMessage(dst, gamespy2.EchoResponse{ID: q.ID, Data: q.Data}), udp.Handled
	}
	if !q.verified && !s.unverified.Allow(from.Addr(), now) {
		return dst, udp.Limited
	}
	s.loop.Demand(now)
	return s.state.Load().answer(&q, dst), udp.Handled
}

// answerMaster answers a datagram from the master of a Registration. If the datagram
// is not one, ok is false: it may be a query.
func (s *Server) answerMaster(
	from netip.AddrPort, req []byte, now time.Time, dst [][]byte,
) (answers [][]byte, ok bool) {
	for _, known := range s.loop.Masters() {
		if known.Addr != from {
			continue
		}
		answers, ok = known.Runner.Task.receive(req, now, dst)
		switch {
		case !ok:
		case len(answers) > len(dst) && !s.loop.AllowMaster(from.Addr(), now):
			return dst, true
		default:
			return answers, true
		}
	}
	return dst, false
}

// mode returns the ChallengeMode in effect: a master may require challenges.
func (s *Server) mode() ChallengeMode {
	if s.challengeRequired.Load() {
		return ChallengeRequired
	}
	return s.Challenge
}

// Serve answers requests that arrive on pc until Shutdown or Close. It closes
// pc. Its error is never nil; it is [lobbywire.ErrClosed] after Shutdown and
// Close.
func (s *Server) Serve(pc net.PacketConn) error { return s.start().Serve(pc) }

// Stats returns the counts of datagrams that Serve and Respond have received and sent.
func (s *Server) Stats() lobbywire.ServerStats { return s.loop.ServerStats() }

// Shutdown ends the Run of every Registration, and every Serve once the requests it has
// read are answered.
func (s *Server) Shutdown(ctx context.Context) error { return s.loop.Shutdown(ctx) }

// Close ends the Run of every Registration, and every Serve at once.
func (s *Server) Close() error { return s.loop.Close() }
