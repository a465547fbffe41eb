// Package oneport answers GameAgent and the first GameSpy protocol at one port, as the games of
// Serious Sam do.
package oneport

import (
	"context"
	"errors"
	"net/netip"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
)

// A Server answers queries about one game server in both protocols.
type Server struct {
	gameagentnet.Server
	GameSpy gamespy1net.Server
}

// New returns a Server. Each protocol has the rates.
func New(rates lobbywire.Rates) *Server {
	s := new(Server)
	s.Limits, s.GameSpy.Limits = rates, rates
	s.Other = func(_ netip.Addr, from netip.AddrPort, req []byte, dst [][]byte) ([][]byte, bool) {
		return s.GameSpy.Respond(from, req, dst)
	}
	return s
}

// SetView replaces the state by what both protocols can carry of v, and returns the fields that
// one of them has changed.
func (s *Server) SetView(v lobbywire.View) (changed []string) {
	changed = s.Server.SetView(v)
	for _, field := range s.GameSpy.SetView(v) {
		if !slices.Contains(changed, field) {
			changed = append(changed, field)
		}
	}
	return changed
}

// Shutdown is [gameagentnet.Server.Shutdown] for registrations of both protocols.
func (s *Server) Shutdown(ctx context.Context) error {
	return errors.Join(s.GameSpy.Shutdown(ctx), s.Server.Shutdown(ctx))
}

// Close is [gameagentnet.Server.Close] for registrations of both protocols.
func (s *Server) Close() error { return errors.Join(s.GameSpy.Close(), s.Server.Close()) }
