package gameagentnet

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/lifecycle"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/internal/registration"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// A Server answers queries about one game server, in the native and in the
// legacy form. A [Registration] keeps it in the list of a master. Its zero value
// is ready and describes a server without players until Set; fields must not
// change while it serves.
type Server struct {
	// Limits are in answers of up to 512 bytes a second; a longer one counts as several.
	// Answers to the challenges of masters have a separate limit. The defaults are
	//
	//	PerSource    32
	//	PerPrefix   512
	//	Global    10 000
	Limits lobbywire.Rates

	// LegacyKey is the key of the game. With it, the Server answers the challenges
	// and echoes of the master of a Registration that is Legacy, also those within queries.
	// "" answers none, like the engine of Serious Sam, whose key is
	// [gamespy1.SeriousSamKey].
	LegacyKey string

	// Other answers datagrams of other protocols, for example the game's own, on the socket of
	// Serve, and reports whether it knows them. They have at most 2048 bytes. The address local,
	// at which a datagram arrived, is not valid if it is unknown. nil ignores them.
	Other func(local netip.Addr, from netip.AddrPort, req []byte, dst [][]byte) (answers [][]byte, ok bool)

	// Refresh, unless nil, is called before a query is answered and before a Registration sends
	// to its master, but at most ten times a second. It should call Set or SetView. Package
	// [lobbywire] describes it.
	Refresh func()

	Logger *slog.Logger // nil is silent

	loop          udp.Server
	heartbeats    limit.Limiter // answers to challenges of masters
	state         atomic.Pointer[encoded]
	registrations lifecycle.Server // in Run
	masters       registration.Masters[*Registration]
}

// heartbeatsPerSecond is the number of challenges from masters that a server answers
// in a second, including forged ones. It is limited because an answer is up to 200
// times as long as a challenge. While fewer challenges are forged, a forged join
// hides the server only until it has answered the master's challenge.
const heartbeatsPerSecond = 1000

func (s *Server) start() *udp.Server {
	return s.loop.Start(func() {
		s.loop.Handler = s.respond
		s.loop.MaxRequest = maxRequest
		s.loop.Logger = s.Logger
		s.loop.Other = s.Other
		s.loop.Refresh = s.Refresh
		defaults := lobbywire.Rates{PerSource: 32, PerPrefix: 512, Global: 10_000}
		s.loop.Limiter.Set(limit.RatesOf(s.Limits, defaults))
		challenges := limit.Rate{PerSecond: heartbeatsPerSecond, Burst: heartbeatsPerSecond}
		s.heartbeats.Set(limit.Rates{PerSource: challenges, Global: challenges})
		empty := new(encoded)
		_ = empty.encode(State{}) // which never fails
		s.state.CompareAndSwap(nil, empty)
	})
}

// current returns the state.
func (s *Server) current() *encoded {
	s.start()
	return s.state.Load()
}

// refreshed returns the state for an answer.
func (s *Server) refreshed(now time.Time) *encoded {
	s.loop.Demand(now)
	return s.state.Load()
}

// Set replaces the state of the server. It may be called at any time. It fails
// if state cannot be encoded; the state is then unchanged.
func (s *Server) Set(state State) error {
	e := new(encoded)
	if err := e.encode(state); err != nil {
		return named(err)
	}
	s.set(e)
	return nil
}

// set replaces the state, and reports a changed status to masters. Scores are not part of it.
func (s *Server) set(e *encoded) {
	was := s.state.Swap(e)
	if was != nil && bytes.Equal(was.status.packets[0], e.status.packets[0]) {
		return
	}
	for _, known := range s.masters.All() {
		known.Registration.stateChanged()
	}
}

// Respond appends the answers to a request, or to a challenge of a master, to dst. The caller
// must send them from the address at which that arrived. ok reports
// whether the datagram is of this protocol. Package [lobbywire] describes it.
func (s *Server) Respond(from netip.AddrPort, req []byte, dst [][]byte) (answers [][]byte, ok bool) {
	return s.start().Respond(from, req, dst)
}

// respond answers a datagram that starts as a native request as one. All others may be of
// the legacy form, which has queries anywhere in a datagram.
func (s *Server) respond(
	now time.Time, _ netip.Addr, from netip.AddrPort, req []byte, dst [][]byte,
) ([][]byte, udp.Outcome) {
	switch {
	case gameagent.IsFromServer(req), gamespy1.IsFromServer(req):
		return dst, udp.Unsupported
	case gameagent.IsToServer(req):
		m, err := gameagent.ParseToServer(req)
		if err != nil {
			return dst, udp.Foreign
		}
		s.hear(from, now)
		if m, ok := m.(gameagent.Challenge); ok {
			return s.answerMaster(from, m, now, dst)
		}
		return s.send(from, s.refreshed(now).answerTo(m), nil, now, dst)
	}
	m, err := gamespy1.ParseToServer(req)
	if err != nil {
		return dst, udp.Foreign
	}
	s.hear(from, now)
	return s.answerLegacy(from, m, now, dst)
}

// hear notifies the registrations that something has arrived from their master.
func (s *Server) hear(from netip.AddrPort, now time.Time) {
	for _, known := range s.masters.All() {
		if known.Addr.Addr() == from.Addr() { // masters query from other ports
			known.Registration.hear(now)
		}
	}
}

// send appends the datagrams of an answer if the rate limit allows it. The first one ends with
// echo.
func (s *Server) send(
	from netip.AddrPort, a *answer, echo []byte, now time.Time, dst [][]byte,
) ([][]byte, udp.Outcome) {
	if !s.loop.Limiter.AllowN(from.Addr(), a.cost, now) {
		return dst, udp.Limited
	}
	for _, p := range a.packets {
		if echo != nil {
			p, echo = slices.Concat(p, echo), nil
		}
		dst = udp.Append(dst, p)
	}
	return dst, udp.Handled
}

// answerMaster answers a challenge if it comes from a native master to which a
// Registration sends.
func (s *Server) answerMaster(
	from netip.AddrPort, m gameagent.Challenge, now time.Time, dst [][]byte,
) ([][]byte, udp.Outcome) {
	for _, known := range s.masters.All() {
		r := known.Registration
		if r.Legacy || known.Addr != from {
			continue
		}
		if !s.heartbeats.Allow(from.Addr(), now) {
			return dst, udp.Limited
		}
		r.challenged(m.Challenge, now)
		return udp.AppendMessage(dst, s.refreshed(now).heartbeatFor(m.Challenge)), udp.Handled
	}
	return dst, udp.Unsupported
}

// maxRequest is the size of the longest request. Real ones have at most 11
// bytes.
const maxRequest = 64

// Serve answers requests that arrive on pc, and the challenges of masters, until
// Shutdown or Close. It closes pc. Its error is never nil; it is
// [lobbywire.ErrClosed] after Shutdown and Close.
func (s *Server) Serve(pc net.PacketConn) error { return s.start().Serve(pc) }

// Stats returns the counts of datagrams that Serve and Respond have received and sent.
func (s *Server) Stats() lobbywire.ServerStats { return s.loop.ServerStats() }

// Shutdown ends the Run of every Registration, and then every Serve once it has
// answered the requests that it has read.
func (s *Server) Shutdown(ctx context.Context) error {
	s.registrations.Close()
	return s.loop.Shutdown(ctx)
}

// Close ends the Run of every Registration, and every Serve at once.
func (s *Server) Close() error {
	s.registrations.Close()
	return s.loop.Close()
}
