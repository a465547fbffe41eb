package gameagentnet

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// AnswerUnit is the size of answers, in bytes, that limits count in: a longer
// answer counts as several.
const AnswerUnit = 512

// A Server answers queries about one game server, in the native and in the
// legacy form, and keeps it in the lists of masters: see [Server.Register]. Its
// zero value is ready and tells of no players until Set; fields must not change
// while it serves.
type Server struct {
	// PerSource is how many answers of up to AnswerUnit bytes one source, an
	// IPv4 address or an IPv6 /64, is sent a second, after as many at once. 0
	// means 32, so 16 KiB a second.
	PerSource int

	// Global is the same for all sources together. 0 means 10 000, so 5 MB a
	// second.
	Global int

	Logger *slog.Logger // nil is silent

	once    sync.Once
	loop    udp.Server
	limiter udp.Limiter
	state   atomic.Pointer[encoded]

	mu            sync.Mutex
	registrations atomic.Pointer[[]*Registration] // replaced, under mu, when one comes or goes
	closed        chan struct{}
	isClosed      bool
	running       sync.WaitGroup // Registration.Run
}

// Respond appends the datagrams that answer a request to dst, none if it
// deserves none. It uses the memory of slices between len(dst) and cap(dst), so
// a loop that passes dst[:0] of the last result allocates nothing; it must not
// need them any more.
//
// It is for servers with a loop of their own; Serve calls it too. The answer to
// the challenge of a master goes to the master, which is where it came from.
func (s *Server) Respond(from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
	s.once.Do(s.init)
	return s.respond(time.Now(), from, req, dst)
}

func (s *Server) respond(now time.Time, from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
	if len(req) > maxRequest || isAnswer(req) {
		return dst
	}
	m, err := gameagent.ParseToServer(req)
	if err != nil {
		return dst
	}
	state := s.state.Load()
	var a *answer
	switch m := m.(type) {
	case gameagent.StatusRequest:
		a = &state.status
	case gameagent.PlayersRequest:
		a = &state.players
	case gameagent.PingRequest:
		a = &state.ping
	case gameagent.LegacyRequest:
		a = &state.legacy[m.Query]
	case gameagent.Challenge:
		return s.meet(from, m, now, dst)
	default:
		return dst
	}
	if !s.limiter.AllowN(from.Addr(), a.cost, now) {
		return dst
	}
	for _, p := range a.packets {
		dst = udp.Next(dst)
		dst[len(dst)-1] = append(dst[len(dst)-1], p...)
	}
	return dst
}

// meet answers the challenge of a master that was asked to list the server, and
// of nobody else.
func (s *Server) meet(from netip.AddrPort, m gameagent.Challenge, now time.Time, dst [][]byte) [][]byte {
	from = unmap(from)
	for _, r := range *s.registrations.Load() {
		if r.form != FormNative || r.master != from || !s.limiter.AllowN(from.Addr(), heartbeatCost, now) {
			continue
		}
		r.challenged(m.Challenge, now)
		dst = udp.Next(dst)
		dst[len(dst)-1] = s.state.Load().appendHeartbeat(dst[len(dst)-1], m.Challenge)
		break
	}
	return dst
}

// isAnswer tells whether b is what a server sends rather than what it is asked,
// for a server takes requests wherever they stand in a datagram: two servers
// must not be brought to talk to each other.
func isAnswer(b []byte) bool {
	return bytes.HasPrefix(b, []byte("0;")) ||
		bytes.HasPrefix(b, []byte("player_")) ||
		bytes.Contains(b, []byte(`\final\`)) ||
		len(b) > 1 && b[0] == 4 && '0' <= b[1] && b[1] <= '9' // a ping and its answer begin alike
}

func unmap(a netip.AddrPort) netip.AddrPort { return netip.AddrPortFrom(a.Addr().Unmap(), a.Port()) }

// Limits.
const (
	maxRequest       = 64 // real ones have 11 bytes at most
	defaultPerSource = 32
	defaultGlobal    = 10_000
)

func (s *Server) init() {
	s.loop.Handler = s.respond
	s.loop.MaxRequest = maxRequest
	s.loop.Logger = s.Logger
	per, global := s.PerSource, s.Global
	if per == 0 {
		per = defaultPerSource
	}
	if global == 0 {
		global = defaultGlobal
	}
	s.limiter.PerSource = udp.Rate{PerSecond: per, Burst: per}
	s.limiter.Global = udp.Rate{PerSecond: global, Burst: global}
	s.registrations.Store(new([]*Registration))
	s.closed = make(chan struct{})
	if s.state.Load() == nil {
		_ = s.Set(State{})
	}
}

// Serve answers requests that come in on pc, and the challenges of masters,
// until Shutdown or Close. It owns pc. Its error is never nil.
func (s *Server) Serve(pc net.PacketConn) error {
	s.once.Do(s.init)
	return s.loop.Serve(pc)
}

// Stats counts datagrams of Serve since the Server was made.
type Stats struct {
	Received  uint64 // requests
	Sent      uint64 // datagrams of answers
	Oversized uint64 // requests dropped because they are longer than any
	Failed    uint64 // datagrams of answers that the system refused to send
}

// Stats returns a snapshot.
func (s *Server) Stats() Stats { return Stats(s.loop.Stats()) }

// Shutdown ends every Run and then, after the answers to what it has read,
// every Serve.
func (s *Server) Shutdown(ctx context.Context) error {
	s.once.Do(s.init)
	s.endRegistrations()
	return s.loop.Shutdown(ctx)
}

// Close ends every Run, and every Serve at once.
func (s *Server) Close() error {
	s.once.Do(s.init)
	s.endRegistrations()
	return s.loop.Close()
}

// endRegistrations returns when every Run has sent its last and is gone.
func (s *Server) endRegistrations() {
	s.mu.Lock()
	if !s.isClosed {
		s.isClosed = true
		close(s.closed)
	}
	s.mu.Unlock()
	s.running.Wait()
}
