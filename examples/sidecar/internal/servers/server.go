// Package servers answers the queries of players' clients, in several protocols, with one
// state.
package servers

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/oneport"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// A server answers queries in a protocol. The servers of lobbywire over UDP are servers.
type server interface {
	SetView(v lobbywire.View) (changed []string)
	Serve(pc net.PacketConn) error
	Shutdown(ctx context.Context) error
	Stats() lobbywire.ServerStats
}

// A Server answers queries in one protocol at one socket.
type Server struct {
	Protocol string
	Conn     net.PacketConn

	server
	changed atomic.Pointer[[]string] // result of the last SetView
	err     atomic.Pointer[error]    // of Serve
	rate    rate
}

// The names of the protocols.
const (
	NameSQP       = "sqp"
	NameGameSpy2  = "gamespy2"
	NameGameAgent = "gameagent"
)

// SQP returns a Server for the Server Query Protocol. Zero rates, here and below, mean
// the defaults of the server.
func SQP(pc net.PacketConn, rates lobbywire.Rates) *Server {
	return &Server{Protocol: NameSQP, Conn: pc, server: &sqpnet.Server{Limits: rates}}
}

// GameSpy2 returns a Server for the queries of GameSpy 2, and its server.
func GameSpy2(pc net.PacketConn, rates lobbywire.Rates) (*Server, *gamespy2net.Server) {
	s := &gamespy2net.Server{Limits: gamespy2net.ServerLimits{Rates: rates}}
	return &Server{Protocol: NameGameSpy2, Conn: pc, server: s}, s
}

// GameAgent returns a Server for GameAgent and the first GameSpy protocol, and its server.
func GameAgent(pc net.PacketConn, rates lobbywire.Rates) (*Server, *oneport.Server) {
	s := oneport.New(rates)
	return &Server{Protocol: NameGameAgent, Conn: pc, server: s}, s
}

// SetView replaces the state in answers, and of what masters get. It must not be called by several
// goroutines at once.
func (s *Server) SetView(v lobbywire.View) {
	changed := s.server.SetView(v)
	s.changed.Store(&changed)
}

// Serve answers queries until Shutdown. Its error, if the socket fails, is also part of
// the Status.
func (s *Server) Serve() error {
	err := s.server.Serve(s.Conn)
	if errors.Is(err, lobbywire.ErrClosed) {
		return nil
	}
	err = fmt.Errorf("%s at %s: %w", s.Protocol, s.Conn.LocalAddr(), err)
	s.err.Store(&err)
	return err
}

// A Status describes a Server.
type Status struct {
	Protocol string `json:"protocol"`
	Address  string `json:"address"`

	// Changed are the members of the state that the protocol cannot carry as they are, such
	// as roster[0].name, up to 32 of them.
	Changed []string `json:"changed"`

	Queries   uint64 `json:"queries"`   // since the start
	PerMinute uint64 `json:"perMinute"` // queries in the last whole minute
	Answers   uint64 `json:"answers"`   // datagrams, since the start
	Failed    uint64 `json:"failed"`    // datagrams that the system refused to send
	Error     string `json:"error,omitzero"`
}

// maxChanged bounds a Status, whatever the names of players are.
const maxChanged = 32

// Status returns the Status at a time.
func (s *Server) Status(now time.Time) Status {
	stats := s.Stats()
	status := Status{
		Protocol: s.Protocol, Address: s.Conn.LocalAddr().String(), Changed: []string{},
		Queries: stats.Received, PerMinute: s.rate.perMinute(now, stats.Received),
		Answers: stats.Sent, Failed: stats.Failed,
	}
	if changed := s.changed.Load(); changed != nil && *changed != nil {
		status.Changed = (*changed)[:min(len(*changed), maxChanged)]
	}
	if err := s.err.Load(); err != nil {
		status.Error = (*err).Error()
	}
	return status
}
