package gamespy1net

import (
	"net/netip"
	"sync/atomic"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/internal/serverlist"
	"github.com/lobbywire/lobbywire/internal/refusals"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// A registrar registers the servers that send heartbeats. It challenges those of GameAgent;
// the checker checks those of GameSpy.
type registrar struct {
	list     *serverlist.List
	checker  *serverlist.Checker
	socket   *udp.Server
	refusals *refusals.Reporter

	challenges, heartbeats, foreign, wrong atomic.Uint64 // as in MasterStats
}

// refuse reports a server that is not listed.
func (r *registrar) refuse(from netip.AddrPort, why lobbywire.Reason, game string) {
	r.refusals.Report(lobbywire.Refusal{From: from, Reason: why, Game: game})
}
