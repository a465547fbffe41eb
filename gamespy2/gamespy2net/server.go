package gamespy2net

import (
	"context"
	"log/slog"
	"math"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

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
// tells nothing until Set; fields must not change while it serves.
type Server struct {
	// Challenge says whether challenges are required.
	Challenge ChallengeMode

	// PerSource is how many requests of one source, an IPv4 address or an IPv6
	// /64, are answered a second, after as many at once. 0 means 100.
	PerSource int

	// Global is the same for all sources together. 0 means 100 000.
	Global int

	// Unproven is how many queries a second are answered without a challenge,
	// for all sources together; 0 means 1000. One source has [UnprovenPerSource]
	// of them.
	Unproven int

	Logger *slog.Logger // nil is silent

	once     sync.Once
	loop     udp.Server
	limiter  udp.Limiter
	unproven udp.Limiter
	minter   udp.Minter
	state    atomic.Pointer[encoded]
}

// UnprovenPerSource is how many queries of one source are answered a second
// without a challenge, after three times as many at once: some clients ask for
// each section apart.
const UnprovenPerSource = 10

// Set replaces what the server tells. It may be called at any time. It fails,
// and changes nothing, if s cannot be encoded so that every client reads it;
// see [gamespy2.Response.Packets].
func (s *Server) Set(state State) error {
	e, err := state.encode()
	if err != nil {
		return err
	}
	s.state.Store(e)
	return nil
}

// Respond appends the datagrams that answer a request to dst, none if it
// deserves none. It is for servers with a loop of their own; Serve calls it too.
//
// Elements of dst between its length and its capacity are overwritten, and
// their memory is used again: pass the last result, cut to length 0, to
// allocate nothing.
func (s *Server) Respond(from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
	s.once.Do(s.init)
	return s.respond(time.Now(), from, req, dst)
}

func (s *Server) respond(now time.Time, from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
	o := gamespy2.Options{Challenge: s.Challenge != ChallengeOff}
	m, err := o.ParseRequest(req)
	proven := err == nil && o.Challenge &&
		(m.Type != gamespy2.TypeQuery || s.minter.ValidAs(number, from, m.Challenge, now))
	if !proven && s.Challenge == ChallengeRequired {
		return dst
	}
	if !proven && s.Challenge == ChallengeOffered {
		m, err = gamespy2.ParseRequest(req)
	}
	if err != nil || !s.limiter.Allow(from.Addr(), now) {
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
	if !proven && !s.unproven.Allow(from.Addr(), now) {
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
		m.Number = number(s.minter.Token(from, now))
	}
	dst = udp.Next(dst)
	last := len(dst) - 1
	dst[last], _ = m.AppendBinary(dst[last]) // it does not fail
	return dst
}

// answer appends what a query asks for.
func (e *encoded) answer(m *gamespy2.Request, dst [][]byte) [][]byte {
	start := len(dst)
	switch {
	case m.Split():
		for _, packet := range e.split {
			dst = udp.Next(dst)
			dst[len(dst)-1] = append(dst[len(dst)-1], packet...)
		}
	case m.Info.Len() == 0 && m.Players.Len() == 0 && m.Teams.Len() == 0:
		if m.Sections() == 0 {
			return dst
		}
		dst = udp.Next(dst)
		dst[len(dst)-1] = append(dst[len(dst)-1], e.plain[m.Sections()]...)
	case m.Sections() == gamespy2.SectionInfo:
		dst = udp.Next(dst)
		dst[len(dst)-1] = e.appendValues(dst[len(dst)-1], m.Info)
	}
	for _, b := range dst[start:] {
		gamespy2.SetID(b, m.ID)
	}
	return dst
}

// appendValues appends the answer to a query that lists keys.
func (e *encoded) appendValues(b []byte, keys gamespy2.Selector) []byte {
	b = append(b, e.noValues...)
	for i := range keys.Len() {
		value := e.values[keys.ID(i)]
		if len(b)+len(value) > gamespy2.MaxPacket {
			break
		}
		b = append(b, value...)
	}
	return b
}

func (s *Server) init() {
	s.loop.Handler = s.respond
	s.loop.MaxRequest = gamespy2.MaxRequest
	s.loop.Logger = s.Logger
	s.minter.Slot = 10 * time.Second
	s.limiter.PerSource = rate(s.PerSource, 100)
	s.limiter.Global = rate(s.Global, 100_000)
	s.unproven.PerSource = udp.Rate{PerSecond: UnprovenPerSource, Burst: 3 * UnprovenPerSource}
	s.unproven.Global = rate(s.Unproven, 1000)
	s.state.CompareAndSwap(nil, empty())
}

// rate is n, or by default def, a second, after as many at once.
func rate(n, def int) udp.Rate {
	if n == 0 {
		n = def
	}
	return udp.Rate{PerSecond: n, Burst: n}
}

// empty is the zero State, which can be encoded.
func empty() *encoded {
	e, _ := State{}.encode()
	return e
}

// Serve answers requests that come in on pc until Shutdown or Close. It owns
// pc. Its error is never nil.
func (s *Server) Serve(pc net.PacketConn) error {
	s.once.Do(s.init)
	return s.loop.Serve(pc)
}

// Stats counts datagrams of Serve since the Server was made.
type Stats struct {
	Received  uint64 // requests
	Sent      uint64 // datagrams of answers
	Oversized uint64 // requests dropped because they are longer than any
	Failed    uint64 // datagrams that the system refused to send
}

// Stats returns a snapshot.
func (s *Server) Stats() Stats { return Stats(s.loop.Stats()) }

// Shutdown ends every Serve after the answers to what it has read.
func (s *Server) Shutdown(ctx context.Context) error {
	s.once.Do(s.init)
	return s.loop.Shutdown(ctx)
}

// Close ends every Serve at once.
func (s *Server) Close() error {
	s.once.Do(s.init)
	return s.loop.Close()
}
