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
	"github.com/lobbywire/lobbywire/internal/udp"
)

// A ChallengeMode says whether askers must show that they receive what is sent
// to their address.
type ChallengeMode int

// The modes.
const (
	// ChallengeRequired answers queries only if they bring a challenge, as
	// Battlefield 2142, Crysis and Unreal Tournament 3 do.
	ChallengeRequired ChallengeMode = iota

	// ChallengeOffered gives out challenges, and also answers queries without
	// one, at a low rate. It suits every known client.
	ChallengeOffered

	// ChallengeOff gives out none, as Battlefield 2 does. All answers are at a
	// low rate.
	ChallengeOff
)

// A Server answers queries about one game server. Its zero value is ready and
// answers with nothing until Set; fields must not change while it serves.
type Server struct {
	// Challenge says whether challenges are required.
	Challenge ChallengeMode

	Limits ServerLimits
	Logger *slog.Logger // nil is silent

	loop       udp.Server
	unverified udp.Limiter
	state      atomic.Pointer[encoded]
}

// ServerLimits bound how often a [Server] answers.
type ServerLimits struct {
	// Rates are in requests. By default a source has 100 a second and all
	// together have 100 000; prefixes are not limited.
	lobbywire.Rates

	// Unverified are in queries without a challenge, which count as requests
	// too. By default a source has 10 a second and all together have 1000;
	// prefixes are not limited. A burst of a source is three times as large,
	// because some clients query each section separately.
	Unverified lobbywire.Rates
}

func (s *Server) start() *udp.Server {
	return s.loop.Start(func() {
		s.loop.Handler = s.respond
		s.loop.MaxRequest = gamespy2.MaxRequest
		s.loop.Logger = s.Logger
		s.loop.Limiter.Set(s.Limits.Rates, lobbywire.Rates{PerSource: 100, Global: 100_000})
		s.loop.Minter.Slot = 10 * time.Second
		s.unverified.Set(s.Limits.Unverified, lobbywire.Rates{PerSource: 10, Global: 1000})
		s.unverified.PerSource.Burst *= 3
		if s.state.Load() == nil {
			_ = s.Set(State{})
		}
	})
}

// Respond appends the datagrams that answer a request to dst, none if the
// request gets no answer. It is for servers with a loop of their own; Serve calls
// it too.
//
// It reuses the memory of slices between len(dst) and cap(dst): a loop that
// passes dst[:0] of the last result allocates nothing.
func (s *Server) Respond(from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
	return s.start().Respond(from, req, dst)
}

func (s *Server) respond(now time.Time, from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
	o := gamespy2.Options{Challenge: s.Challenge != ChallengeOff}
	m, err := o.ParseRequest(req)
	verified := err == nil && o.Challenge &&
		(m.Type != gamespy2.TypeQuery || s.loop.Minter.ValidAs(number, from, m.Challenge, now))
	if !verified && s.Challenge == ChallengeRequired {
		return dst
	}
	if !verified && s.Challenge == ChallengeOffered {
		m, err = gamespy2.ParseRequest(req)
	}
	if err != nil || !s.loop.Limiter.Allow(from.Addr(), now) {
		return dst
	}
	switch m.Type {
	case gamespy2.TypeChallenge:
		return s.challenge(from, m.ID, now, dst)
	case gamespy2.TypeEcho:
		out := udp.Next(dst)
		last := len(out) - 1
		b, err := gamespy2.EchoResponse{ID: m.ID, Data: m.Data}.AppendBinary(out[last])
		if err != nil {
			return dst
		}
		out[last] = b
		return out
	}
	if !verified && !s.unverified.Allow(from.Addr(), now) {
		return dst
	}
	return s.state.Load().answer(&m, dst)
}

// minChallenge is the least number given out: qstat misreads numbers of less
// than six digits.
const minChallenge = 100_000

// number makes a challenge of a token.
func number(token uint32) int32 {
	return int32(minChallenge + token%(math.MaxInt32-minChallenge))
}

func (s *Server) challenge(from netip.AddrPort, id [4]byte, now time.Time, dst [][]byte) [][]byte {
	m := gamespy2.ChallengeResponse{ID: id}
	if s.Challenge != ChallengeOff {
		m.Number = number(s.loop.Minter.Token(from, now))
	}
	dst = udp.Next(dst)
	last := len(dst) - 1
	dst[last], _ = m.AppendBinary(dst[last]) // it does not fail
	return dst
}

// Serve answers requests that arrive on pc until Shutdown or Close. It closes
// pc. Its error is never nil; it is [lobbywire.ErrClosed] after Shutdown and
// Close.
func (s *Server) Serve(pc net.PacketConn) error { return s.start().Serve(pc) }

// Stats returns counts of datagrams that Serve has read and sent.
func (s *Server) Stats() lobbywire.PacketStats { return s.loop.Stats() }

// Shutdown ends every Serve once the requests it has read are answered.
func (s *Server) Shutdown(ctx context.Context) error { return s.loop.Shutdown(ctx) }

// Close ends every Serve at once.
func (s *Server) Close() error { return s.loop.Close() }
