package gamespy1net

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
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
	// the address local, which is not valid if unknown. nil ignores them.
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
		_ = empty.encode(gamespy1.Status{MaxPlayers: new(0)}) // never fails
		s.state.CompareAndSwap(nil, empty)
	})
}

// current returns the state.
func (s *Server) current() *encoded {
	s.start()
	return s.state.Load()
}

// Set replaces the state of the server. It may be called at any time. It fails if status
// cannot be encoded; the state is then unchanged.
//
// Query and QueryID are ignored. If NumPlayers is nil, it is the number of Players.
// HostPort is the port of the game; 0 means 25600, the port of Serious Sam. The Server must
// serve on the next port, to which clients send queries. An empty GameMode means
// "openplaying". Players contain names as typed: a placeholder replaces a name with control
// characters, and slashes replace backslashes. All players must fit in 8 datagrams.
func (s *Server) Set(status gamespy1.Status) error {
	e := new(encoded)
	if err := e.encode(status); err != nil {
		return err
	}
	s.set(e)
	return nil
}

// set replaces the state, and reports changes to masters, except only of scores and rules.
func (s *Server) set(e *encoded) {
	was := s.state.Swap(e)
	if was != nil && was.isAs(e, gamespy1.QueryInfo) && was.isAs(e, gamespy1.QueryBasic) {
		return
	}
	for _, known := range s.loop.Masters() {
		known.Runner.Update(func() { known.Runner.Task.changed = true })
	}
}

// isAs reports whether both states have the same answer to a query.
func (e *encoded) isAs(other *encoded, query gamespy1.Query) bool {
	return bytes.Equal(e.answers[query].First(), other.answers[query].First())
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
	if gamespy1.IsFromServer(req) {
		return dst, udp.Unsupported
	}
	m, err := gamespy1.ParseToServer(req)
	if err != nil {
		return dst, udp.Foreign
	}
	s.loop.Hear(from.Addr(), now)
	switch m := m.(type) {
	case gamespy1.Request:
		var echo []byte
		if m.Secure != "" {
			dst, _ = s.validate(from, m.Secure, now, dst)
		} else if m.Echo != "" {
			if key, _ := s.keyFor(from, now); key != "" {
				echo, _ = gamespy1.Echo{Text: m.Echo}.AppendBinary(nil)
			}
		}
		s.loop.Demand(now)
		return s.state.Load().answers[m.Query].Send(&s.loop.Limiter, from, echo, now, dst)
	case gamespy1.Secure:
		return s.validate(from, m.Secure, now, dst)
	case gamespy1.Echo:
		if key, why := s.keyFor(from, now); key == "" {
			return dst, why
		}
		return udp.AppendMessage(dst, gamespy1.EchoReply{Text: m.Text}), udp.Handled
	case gamespy1.Unknown:
		return dst, udp.Foreign
	}
	return dst, udp.Unsupported
}

// keyFor returns the Key of a Registration whose master has an address, or "" and the
// reason for not answering: the address is not a master's, or is beyond the rate limit. The
// port does not matter, because masters do not query from the port that receives
// heartbeats.
func (s *Server) keyFor(from netip.AddrPort, now time.Time) (key string, why udp.Outcome) {
	for _, known := range s.loop.Masters() {
		key := known.Runner.Task.Key
		if key == "" || known.Addr.Addr() != from.Addr() {
			continue
		}
		if !s.loop.AllowMaster(from.Addr(), now) {
			return "", udp.Limited
		}
		return key, udp.Handled
	}
	return "", udp.Unsupported
}

// validate answers the challenge of a master.
func (s *Server) validate(
	from netip.AddrPort, secure string, now time.Time, dst [][]byte,
) ([][]byte, udp.Outcome) {
	key, why := s.keyFor(from, now)
	if key == "" {
		return dst, why
	}
	for _, known := range s.loop.Masters() {
		if known.Addr.Addr() == from.Addr() {
			known.Runner.Update(func() { known.Runner.Task.isChallenged = true })
		}
	}
	return udp.AppendMessage(dst, gamespy1.Validation{Validate: gamespy1.Validate(secure, key)}), udp.Handled
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
