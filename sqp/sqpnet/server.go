package sqpnet

import (
	"context"
	"encoding/binary"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire/internal/udp"
	"github.com/lobbywire/lobbywire/sqp"
)

// A Server answers queries about one game server. Its zero value is ready and
// answers with zeros until Set; fields must not change while it serves.
type Server struct {
	// PerSource is how many requests of one source, an IPv4 address or an IPv6
	// /64, are answered a second, after as many at once. 0 means 100.
	PerSource int

	// Global is the same for all sources together. 0 means 100 000.
	Global int

	Logger *slog.Logger // nil is silent

	once    sync.Once
	loop    udp.Server
	limiter udp.Limiter
	minter  udp.Minter
	state   atomic.Pointer[encoded]
}

// State is what a Server tells. Every chunk is always there, empty if need be:
// chunks have no tags, so one that is missing would be taken for the next.
type State struct {
	ServerInfo  sqp.ServerInfo
	ServerRules []sqp.Rule
	PlayerInfo  sqp.Table
	TeamInfo    sqp.Table
	Metrics     []float32 // no more than 25 reach Unity's client
}

// encoded is a State as it is sent.
type encoded [5][]byte

const headerSize = 11

// Set replaces what the server tells. It may be called at any time. It fails,
// and changes nothing, if s cannot be encoded in one datagram.
func (s *Server) Set(state State) error {
	whole, err := sqp.QueryResponse{
		ServerInfo:  &state.ServerInfo,
		ServerRules: append([]sqp.Rule{}, state.ServerRules...),
		PlayerInfo:  &state.PlayerInfo,
		TeamInfo:    &state.TeamInfo,
		Metrics:     &sqp.Metrics{Values: state.Metrics},
	}.AppendBinary(nil)
	if err != nil {
		return err
	}
	e := new(encoded)
	body := whole[headerSize:]
	for i := range e {
		n := 4 + int(binary.BigEndian.Uint32(body))
		e[i], body = body[:n], body[n:]
	}
	s.state.Store(e)
	return nil
}

// Respond appends the answer to a request to dst, nothing if it deserves none.
// It is for servers with a loop of their own; Serve calls it too.
func (s *Server) Respond(from netip.AddrPort, req, dst []byte) []byte {
	s.once.Do(s.init)
	return s.respond(time.Now(), from, req, dst)
}

func (s *Server) respond(now time.Time, from netip.AddrPort, req, dst []byte) []byte {
	m, err := sqp.ParseRequest(req)
	if err != nil || !s.limiter.Allow(from.Addr(), now) {
		return dst
	}
	if m.Type == sqp.TypeChallenge {
		b, _ := sqp.ChallengeResponse{Token: s.minter.Token(from, now)}.AppendBinary(dst)
		return b
	}
	if !s.minter.Valid(from, m.Query.Token, now) {
		return dst
	}
	return s.state.Load().append(dst, m.Query)
}

// append appends the chunks asked for behind a header.
func (e *encoded) append(b []byte, q sqp.QueryRequest) []byte {
	start := len(b)
	b = append(b, byte(sqp.TypeQuery))
	b = binary.BigEndian.AppendUint32(b, q.Token)
	b = append(b, 0, sqp.Version, 0, 0, 0, 0)
	for i, chunk := range e {
		if q.Chunks&(1<<i) != 0 {
			b = append(b, chunk...)
		}
	}
	binary.BigEndian.PutUint16(b[start+headerSize-2:], uint16(len(b)-start-headerSize))
	return b
}

func (s *Server) init() {
	s.loop.Handler = func(now time.Time, from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
		dst = udp.Next(dst)
		b := s.respond(now, from, req, dst[len(dst)-1])
		if len(b) == 0 {
			return dst[:len(dst)-1]
		}
		dst[len(dst)-1] = b
		return dst
	}
	s.loop.MaxRequest = 64
	s.loop.Logger = s.Logger
	s.minter.Slot = 10 * time.Second
	per, global := s.PerSource, s.Global
	if per == 0 {
		per = 100
	}
	if global == 0 {
		global = 100_000
	}
	s.limiter.PerSource = udp.Rate{PerSecond: per, Burst: per}
	s.limiter.Global = udp.Rate{PerSecond: global, Burst: global}
	if s.state.Load() == nil {
		_ = s.Set(State{})
	}
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
	Sent      uint64 // answers
	Oversized uint64 // requests dropped because they are longer than any
	Failed    uint64 // answers that the system refused to send
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
