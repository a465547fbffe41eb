package gamespy2net

import (
	"context"
	"log/slog"
	"math"
	"net"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/lifecycle"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/internal/registration"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// A ChallengeMode says which queries a [Server] answers. A client that repeats a
// challenge shows that it receives what is sent to its address. Only then is the
// sender of a query verified: it cannot be the victim of somebody who sends
// queries in its name.
type ChallengeMode int

// The modes.
const (
	// ChallengeOffered gives out challenges and answers all queries, at a low
	// rate those that have no challenge or a wrong one. Every known client gets
	// an answer: the browser of Battlefield 2, GameQ and opengsq query many
	// games without a challenge, and the command line of gamedig may query from
	// another port than the one that got the challenge.
	ChallengeOffered ChallengeMode = iota

	// ChallengeRequired answers only queries with a challenge, as Battlefield
	// 2142, Crysis, Unreal Tournament 3 and Minecraft do. It hides the server
	// from clients that know no challenges.
	ChallengeRequired

	// ChallengeOff gives out no challenges, as Battlefield 2 does. All queries
	// are answered at the low rate.
	ChallengeOff
)

// A Server answers queries about one game server. Its zero value is ready and
// answers with nothing until Set; fields must not change while it serves.
type Server struct {
	// Challenge says which queries are answered.
	Challenge ChallengeMode

	Limits ServerLimits
	Logger *slog.Logger // nil is silent

	loop              udp.Server
	unverified        limit.Limiter
	fromMasters       limit.Limiter // answers to masters
	state             atomic.Pointer[encoded]
	challengeRequired atomic.Bool // a master has told the server to use ChallengeRequired

	registrations lifecycle.Server // those that run
	masters       registration.Masters[*Registration]
}

// ServerLimits bound how often a [Server] answers.
type ServerLimits struct {
	// Rates are in requests: those of unverified senders and, apart from them,
	// those of verified ones. By default a source has 100 a second, a prefix
	// 1600 and all together 100 000.
	lobbywire.Rates

	// Unverified are in queries of unverified senders, which count as requests
	// too. By default a source has 10 a second, a prefix 20 and all together 200.
	// A burst of a source is three times as large, because some clients query
	// each section separately.
	Unverified lobbywire.Rates
}

func (s *Server) start() *udp.Server {
	return s.loop.Start(func() {
		s.loop.Handler = s.respond
		s.loop.MaxRequest = gamespy2.MaxRequest
		s.loop.Logger = s.Logger
		defaults := lobbywire.Rates{PerSource: 100, PerPrefix: 1600, Global: 100_000}
		s.loop.Limiter.Set(s.Limits.Rates, defaults)
		s.loop.Verified.Set(s.Limits.Rates, defaults)
		s.loop.Minter.Slot = 10 * time.Second
		s.unverified.Set(s.Limits.Unverified, lobbywire.Rates{PerSource: 10, PerPrefix: 20, Global: 200})
		s.unverified.PerSource.Burst *= 3
		s.unverified.PerPrefix.Burst *= 3
		s.fromMasters.Set(lobbywire.Rates{PerSource: masterAnswersPerSecond, Global: masterAnswersPerSecond}, lobbywire.Rates{})
		if s.state.Load() == nil {
			_ = s.Set(State{})
		}
	})
}

// Respond appends the datagrams that answer a request to dst, none if the
// request gets no answer. It is for servers with a loop of their own; Serve calls
// it too. The answer to a challenge of a master goes to the master, which is where the
// challenge came from.
//
// It reuses the memory of slices between len(dst) and cap(dst): a loop that
// passes dst[:0] of the last result allocates nothing.
func (s *Server) Respond(from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
	return s.start().Respond(from, req, dst)
}

func (s *Server) respond(now time.Time, from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
	if answers, ok := s.answerMaster(from, req, now, dst); ok {
		return answers
	}
	state := s.state.Load()
	q, ok := s.parse(state, now, from, req)
	if !ok {
		return dst
	}
	limiter := &s.loop.Limiter
	if q.verified {
		limiter = &s.loop.Verified
	}
	if !limiter.Allow(from.Addr(), now) {
		return dst
	}
	switch q.Type {
	case gamespy2.TypeChallenge:
		return s.challenge(from, q.ID, now, dst)
	case gamespy2.TypeEcho:
		out := udp.Next(dst)
		last := len(out) - 1
		b, err := gamespy2.EchoResponse{ID: q.ID, Data: q.Data}.AppendBinary(out[last])
		if err != nil {
			return dst
		}
		out[last] = b
		return out
	}
	if !q.verified && !s.unverified.Allow(from.Addr(), now) {
		return dst
	}
	return state.answer(&q, dst)
}

// mode returns which queries are answered. A master may require challenges.
func (s *Server) mode() ChallengeMode {
	if s.challengeRequired.Load() {
		return ChallengeRequired
	}
	return s.Challenge
}

// minChallenge is the smallest challenge: qstat misreads numbers of less than six
// digits.
const minChallenge = 100_000

// number returns a token as a challenge. It is positive and so has 31 bits, because
// not all clients are known to read a sign.
func number(token uint32) int32 {
	return int32(minChallenge + token%(math.MaxInt32-minChallenge))
}

func (s *Server) challenge(from netip.AddrPort, id [4]byte, now time.Time, dst [][]byte) [][]byte {
	m := gamespy2.ChallengeResponse{ID: id}
	if s.mode() != ChallengeOff {
		m.Number = number(s.loop.Minter.Token(from, now))
	}
	dst = udp.Next(dst)
	last := len(dst) - 1
	dst[last], _ = m.AppendBinary(dst[last]) // which does not fail
	return dst
}

// Serve answers requests that arrive on pc until Shutdown or Close. It closes
// pc. Its error is never nil; it is [lobbywire.ErrClosed] after Shutdown and
// Close.
func (s *Server) Serve(pc net.PacketConn) error { return s.start().Serve(pc) }

// Stats returns counts of datagrams that Serve has read and sent.
func (s *Server) Stats() lobbywire.PacketStats { return s.loop.Stats() }

// Shutdown ends the Run of every Registration and then every Serve, once the
// requests it has read are answered.
func (s *Server) Shutdown(ctx context.Context) error {
	s.registrations.Close()
	return s.loop.Shutdown(ctx)
}

// Close ends the Run of every Registration, and every Serve at once.
func (s *Server) Close() error {
	s.registrations.Close()
	return s.loop.Close()
}
