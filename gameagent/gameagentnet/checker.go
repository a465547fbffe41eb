package gameagentnet

import (
	"context"
	"net"
	"net/netip"
	"sync/atomic"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/refusals"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// A dialer opens a socket, as [Client.Dial] does. nil means sockets of the operating system.
type dialer = func(ctx context.Context, network, addr string) (net.Conn, error)

// A checker queries servers in the legacy form, and keeps those in the catalogue that answer.
type checker struct {
	catalogue *catalogue
	socket    *udp.Server // that heartbeats come to
	refusals  *refusals.Reporter
	dialFrom  func(local netip.Addr) dialer // of the Master

	lanes   lanes
	waiting waitList

	checks, unanswered, wrong atomic.Uint64 // as in MasterStats
}

// refuse reports a server that is not listed, because of err if that is not nil.
func (k *checker) refuse(c check, why lobbywire.Reason, err error) {
	k.refusals.Report(lobbywire.Refusal{From: c.query, Source: c.from.Port(), Reason: why, Game: c.game.name, Err: err})
}
