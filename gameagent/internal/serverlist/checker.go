package serverlist

import (
	"context"
	"net"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/refusals"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// A Dialer opens a socket. nil means sockets of the operating system.
type Dialer = func(ctx context.Context, network, addr string) (net.Conn, error)

// A Checker queries servers that have sent a heartbeat of GameSpy or that another master
// lists, and keeps those that answer in the List. It also checks servers that may have
// moved to another port. The fields must not change after Start.
type Checker struct {
	List     *List
	Socket   *udp.Server // that receives heartbeats
	Refusals *refusals.Reporter
	DialFrom func(local netip.Addr) Dialer

	Checks, Unanswered, Wrong atomic.Uint64 // as in the statistics of a master

	lanes   lanes
	waiting waitList
}

// Start makes the Checker ready for checks, which Run runs. Call it before the List is
// started.
func (k *Checker) Start() {
	k.lanes = newLanes()
	k.List.moved = k.lanes.moved
}

// Refuse reports a server that is not listed, because of err if that is not nil.
func (k *Checker) Refuse(c Check, why lobbywire.Reason, err error) {
	k.Refusals.Report(lobbywire.Refusal{From: c.Query, Source: c.From.Port(), Reason: why, Game: c.Game.name, Err: err})
}

// First starts the first check of a server, unless it is being checked.
func (k *Checker) First(c Check, now time.Time) {
	c.isFirst, c.Stops, c.at = true, false, 0
	k.Refuse(c, lobbywire.ReasonQuery, nil)
	if k.waiting.add(c, now) {
		k.lanes.first.add(c)
	}
}

// Stopping records that a server that is being checked may be stopping. If it is not being
// checked, ok is false.
func (k *Checker) Stopping(c Check, now time.Time) (ok bool) { return k.waiting.stop(c, now) }

// Validate checks a server before others if isRight reports that it has returned the
// challenge, which verifies its address. isRight is called only if the answer is awaited.
func (k *Checker) Validate(from netip.AddrPort, now time.Time, isRight func(c Check) bool) {
	if c, ok := k.waiting.validate(from, now, isRight); ok {
		k.lanes.proven.add(c)
	}
}

// Sync starts checks of the servers of another master, one for each. It skips listed
// servers that register here themselves, those that [lobbywire.ListResult.Targets] leaves
// out, and those of an address or a prefix beyond its limit, so that another master cannot
// direct a flood of queries. It waits while many checks run.
func (k *Checker) Sync(ctx context.Context, list gamespy1.SyncList, master netip.Addr) {
	taken := make(map[netip.AddrPort]bool)
	counter := k.List.Servers.Limits()
	for _, g := range list.Games {
		known := k.List.Game(g.GameName)
		if known == nil {
			continue
		}
		listed := lobbywire.ListResult{MasterIP: master}
		for _, query := range g.Servers {
			listed.Servers = append(listed.Servers, lobbywire.Listed{Query: query})
		}
		targets, _ := listed.Targets(ctx)
		for query := range targets {
			if taken[query] || !Listable(query) || !k.isForSync(query) || !counter.Add(query.Addr()) {
				continue
			}
			taken[query] = true
			select {
			case k.lanes.synced.queue <- Check{Query: query, Game: known, isFirst: true}:
			case <-ctx.Done():
				return
			}
		}
	}
}

// isForSync reports whether a server is unknown or known only from other
// masters.
func (k *Checker) isForSync(query netip.AddrPort) (ok bool) {
	k.List.Servers.Do(time.Now(), func(t *Locked) {
		i, known := t.Find(query)
		ok = !known || t.Value(i).synced
	})
	return ok
}
