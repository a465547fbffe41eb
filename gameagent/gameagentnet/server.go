package gameagentnet

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/internal/answer"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/internal/registration"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// A Server answers queries about one game server. A [Registration] keeps it in the list of
// a master. Its zero value is ready and describes a server without players until Set; fields
// must not change while it serves.
type Server struct {
	// Limits are in answers of up to 512 bytes a second; a longer answer counts as several.
	// Answers to the challenges of masters have a separate limit. The defaults are
	//
	//	PerSource    32
	//	PerPrefix   512
	//	Global    10 000
	Limits lobbywire.Rates

	// Other handles datagrams of other protocols on the socket of Serve, such as the game's
	// own, of up to 2048 bytes, and reports whether it knows them. A datagram arrived at
	// the address local, which is not valid if unknown. nil ignores them. In a game that
	// also speaks the first GameSpy protocol, it calls Respond of a gamespy1net.Server.
	Other func(local netip.Addr, from netip.AddrPort, req []byte, dst [][]byte) (answers [][]byte, ok bool)

	// Refresh, unless nil, should call Set or SetView. It is called before a query is
	// answered and before a Registration sends to its master, but at most ten times a
	// second, as package [lobbywire] describes.
	Refresh func()

	Logger *slog.Logger // nil is silent

	loop  registration.Server[task]
	state atomic.Pointer[encoded]
}

func (s *Server) start() *registration.Server[task] {
	return s.loop.Start(func() {
		s.loop.Handler = s.respond
		s.loop.MaxRequest = answer.MaxRequest
		s.loop.Logger = s.Logger
		s.loop.Other = s.Other
		s.loop.Refresh = s.Refresh
		s.loop.Limiter.Set(limit.RatesOf(s.Limits, answer.Default))
		empty := new(encoded)
		_ = empty.encode(State{}) // never fails
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

// set replaces the state, and reports a changed status, which does not contain scores, to
// masters.
func (s *Server) set(e *encoded) {
	was := s.state.Swap(e)
	if was != nil && bytes.Equal(was.status.First(), e.status.First()) {
		return
	}
	for _, known := range s.loop.Masters() {
		known.Runner.Update(func() { known.Runner.Task.changed = true })
	}
}

// Respond appends the answers to a request, or to a challenge of a master, to dst. The
// caller must send them from the address at which the datagram arrived. ok reports whether
// the datagram is of this protocol. Package [lobbywire] describes it.
func (s *Server) Respond(from netip.AddrPort, req []byte, dst [][]byte) (answers [][]byte, ok bool) {
	return s.start().Respond(from, req, dst)
}

func (s *Server) respond(
	now time.Time, _ netip.Addr, from netip.AddrPort, req []byte, dst [][]byte,
) ([][]byte, udp.Outcome) {
	if gameagent.IsFromServer(req) {
		return dst, udp.Unsupported
	}
	if !gameagent.IsToServer(req) {
		return dst, udp.Foreign
	}
	m, err := gameagent.ParseToServer(req)
	if err != nil {
		return dst, udp.Foreign
	}
	s.loop.Hear(from.Addr(), now)
	if m, ok := m.(gameagent.Challenge); ok {
		return s.answerMaster(from, m, now, dst)
	}
	return s.refreshed(now).answerTo(m).Send(&s.loop.Limiter, from, nil, now, dst)
}

// answerMaster answers a challenge if it comes from a master to which a Registration sends.
func (s *Server) answerMaster(
	from netip.AddrPort, m gameagent.Challenge, now time.Time, dst [][]byte,
) ([][]byte, udp.Outcome) {
	for _, known := range s.loop.Masters() {
		if known.Addr != from {
			continue
		}
		if !s.loop.AllowMaster(from.Addr(), now) {
			return dst, udp.Limited
		}
		known.Runner.Task.challenged(m.Challenge, now)
		return udp.AppendMessage(dst, s.refreshed(now).heartbeatFor(m.Challenge)), udp.Handled
	}
	return dst, udp.Unsupported
}

// Serve answers requests that arrive on pc, and the challenges of masters, until
// Shutdown or Close. It closes pc. Its error is never nil; it is
// [lobbywire.ErrClosed] after Shutdown and Close.
func (s *Server) Serve(pc net.PacketConn) error { return s.start().Serve(pc) }

// Stats returns the counts of datagrams that Serve and Respond have received and sent.
func (s *Server) Stats() lobbywire.ServerStats { return s.loop.ServerStats() }

// Shutdown ends the Run of every Registration, and then every Serve once it has
// answered the requests that it has read.
func (s *Server) Shutdown(ctx context.Context) error { return s.loop.Shutdown(ctx) }

// Close ends the Run of every Registration, and every Serve at once.
func (s *Server) Close() error { return s.loop.Close() }
