package gamespy2net

import (
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/refusals"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// A registrar registers the servers that send heartbeats: it challenges them, checks that
// they answer queries, and keeps them in the catalogue while heartbeats arrive.
type registrar struct {
	catalogue *catalogue
	socket    *udp.Server
	refusals  *refusals.Reporter
	unchecked bool         // Unchecked of the Master
	pending   pendingTable // guarded by the lock of the servers

	challenges, wrong atomic.Uint64 // as in MasterStats
}

// addSockets changes the number of sockets that can repeat datagrams.
func (r *registrar) addSockets(n int) {
	r.whileLocked(time.Now(), func() { r.pending.addSockets(n) })
}

// proveEvery is the minimum time between two times that a server proves its prefix, which
// slows down heartbeats.
const proveEvery = time.Minute

// noteHeartbeat handles a heartbeat of server i, whose address is verified.
func (r *registrar) noteHeartbeat(t *locked, i int, p *packet) {
	s := t.Value(i)
	s.local = p.local
	if clock := r.catalogue.servers.Clock(p.now); clock-s.proved >= proveEvery {
		s.proved = clock
		r.socket.Proven.Add(p.from.Addr(), p.now)
	}
}

// whileLocked calls do with the lock of the servers held, which also guards pending.
func (r *registrar) whileLocked(now time.Time, do func()) {
	r.catalogue.servers.Do(now, func(*locked) { do() })
}

// refuse reports a server that is not listed.
func (r *registrar) refuse(from netip.AddrPort, why lobbywire.Reason, game string) {
	r.refusals.Report(lobbywire.Refusal{From: from, Reason: why, Game: game})
}
