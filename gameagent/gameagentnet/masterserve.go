package gameagentnet

import (
	"context"
	"crypto/rand"
	"errors"
	"iter"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/internal/udp"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// Serve answers requests that arrive on pc, in both forms, until Shutdown or Close. It
// closes pc. Its error is never nil; it is [lobbywire.ErrClosed] after Shutdown and
// Close. While it runs, it queries servers as Check does.
func (m *Master) Serve(pc net.PacketConn) error {
	m.start()
	defer m.tasks.begin(m.runTasks)()
	return m.loop.Serve(pc)
}

// ServeLists sends the legacy list to clients that connect to l, until Shutdown or
// Close. It closes l. Its error is never nil; it is [lobbywire.ErrClosed] after
// Shutdown and Close. While it runs, it queries servers as Check does.
func (m *Master) ServeLists(l net.Listener) error {
	m.start()
	defer m.tasks.begin(m.runTasks)()
	return m.conns.Serve(l)
}

// Check queries the servers that have sent a legacy heartbeat, and fetches the servers
// of the masters in SyncFrom, until ctx is done, Shutdown or Close. It is for masters
// with a loop of their own, which call Respond or RespondAt.
func (m *Master) Check(ctx context.Context) error {
	m.start()
	defer m.tasks.begin(m.runTasks)()
	return m.tasks.life.Run(ctx, func(ctx context.Context) error {
		<-ctx.Done()
		return context.Cause(ctx)
	})
}

// Respond appends the answers to a request to dst. The caller must send them from the address
// at which the request arrived. Package [lobbywire] describes it.
func (m *Master) Respond(from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
	return m.start().Respond(from, req, dst)
}

// RespondAt is Respond for a request that arrived at a local address, from which the Master
// then queries a server that registers in the legacy form. If the address is not valid, the
// operating system chooses one.
func (m *Master) RespondAt(local netip.Addr, from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
	return m.start().RespondAt(local, from, req, dst)
}

func (m *Master) start() *udp.Server { return m.loop.Start(m.init) }

func (m *Master) init() {
	m.loop.Handler = m.respond
	m.loop.MaxRequest = gameagent.MaxHeartbeat
	m.loop.Logger = m.Logger
	m.loop.Minter.Slot = challengeSlot
	m.loop.Proven = new(limit.Proven)
	m.lists.Proven = m.loop.Proven
	m.games.Store(newGames(m.Games))
	m.syncing.set(m.SyncFrom, m.SyncFor)
	m.lanes = newLanes()
	m.id = rand.Text()
	m.conns.Handler = m.serveConn
	m.conns.Defaults = lobbywire.ConnLimits{
		First: 10 * time.Second, Frame: 10 * time.Second, Idle: 10 * time.Second, Write: 10 * time.Second,
		MaxConns: 4096, MaxPerAddress: 32, MaxPerPrefix: 256, MaxBuffered: 4 << 20,
	}
	m.conns.MaxFrame = maxListRequest
	m.conns.Logger = m.Logger
	m.setLimits(m.Limits)
	m.servers.Expiry = Expiry
	m.refusals.To = m.Refused
	m.servers.Refusals = &m.refusals
	if m.Store != nil {
		m.servers.Store = storeBySource{m.Store}
	}
	m.servers.Start((*listMaster)(m), m.put, m.servers.Forget)
}

// runTasks checks servers, and fetches those of other masters, until ctx is done.
func (m *Master) runTasks(ctx context.Context) {
	var running sync.WaitGroup
	running.Go(func() { m.syncAll(ctx) })
	for _, l := range []lane{m.lanes.first, m.lanes.proven, m.lanes.stopping, m.lanes.synced} {
		running.Go(func() { l.run(ctx, m.check) })
	}
	running.Wait()
}

// SetLimits replaces Limits. It may be called while the Master serves. Servers beyond a
// lower limit stay listed, and open connections keep their deadlines.
func (m *Master) SetLimits(l MasterLimits) {
	m.start()
	m.setLimits(l)
}

func (m *Master) setLimits(l MasterLimits) {
	servers := registry.MasterLimits(l.MaxServers, l.MaxPerAddress, l.MaxPerPrefix)
	m.servers.SetLimits(servers)
	requests := limit.RatesOf(l.Rates, registry.RatesFor(servers))
	m.loop.Limiter.Set(requests)
	m.loop.Verified.Set(requests)
	m.lists.Set(limit.RatesOf(l.Lists, lobbywire.Rates{PerSource: 16, PerPrefix: 400, Global: 10_000}))
	m.packets.Store(int64(wire.Limit(l.MaxListPackets, 16)))
	m.conns.SetLimits(l.Conns)
}

// SetSync replaces SyncFrom and SyncFor. It may be called while the Master serves. Servers
// of masters that are no longer in SyncFrom expire.
func (m *Master) SetSync(from []string, peers []netip.Prefix) {
	m.start()
	m.syncing.set(from, peers)
}

// Shutdown ends every Serve, ServeLists and Check once the requests they have read are
// answered. It stops watching the Store.
func (m *Master) Shutdown(ctx context.Context) error {
	m.start()
	m.servers.Close()
	return errors.Join(m.tasks.life.Shutdown(ctx), m.loop.Shutdown(ctx), m.conns.Shutdown(ctx))
}

// Close ends every Serve, ServeLists and Check at once. It stops watching the Store.
func (m *Master) Close() error {
	m.start()
	m.servers.Close()
	return errors.Join(m.tasks.life.Close(), m.loop.Close(), m.conns.Close())
}

// Servers returns the servers that are listed or withheld, in no particular order.
// It does not block the Master, so it may miss servers that are added or removed
// during the iteration, and may yield a server twice if it is removed and added
// again.
func (m *Master) Servers() iter.Seq[Entry] {
	m.start()
	return m.servers.All()
}

// Review calls Admit again for the servers of the games, as in Entry.Game, or, without games, for
// every server, after the rules of Admit have changed.
func (m *Master) Review(games ...netip.AddrPort) {
	m.start()
	sources := make([]netip.AddrPort, len(games))
	for i, game := range games {
		sources[i] = sourceOf(game)
	}
	m.servers.Review(sources...)
}

// MasterStats has the counts of a Master since its creation. PacketStats counts
// the datagrams of Serve.
type MasterStats struct {
	lobbywire.PacketStats

	Conns lobbywire.ConnStats // of ServeLists

	Lists       uint64 // requests answered with the native list
	LegacyLists uint64 // requests answered with the legacy list
	Challenges  uint64 // requests answered with a challenge
	Heartbeats  uint64 // heartbeats of servers that are listed or withheld

	Checks     uint64 // queries of servers in the legacy form
	Unanswered uint64 // Checks without an answer
	Wrong      uint64 // wrong or missing answers of legacy servers and clients to challenges
	Foreign    uint64 // legacy heartbeats of games that are not in Games

	NotSynced uint64 // failures to fetch the servers of a master in SyncFrom

	Listed   int    // servers in the list now
	Withheld int    // servers that Admit withholds now
	Refused  uint64 // servers not listed because of a limit on their number
	Limited  uint64 // requests dropped or lists not sent because of a rate limit
}

// Stats returns a snapshot.
func (m *Master) Stats() MasterStats {
	loop := m.start()
	s := MasterStats{
		PacketStats: loop.Stats(),
		Conns:       m.conns.Stats(),
		LegacyLists: m.sentLists.Load(),
		Challenges:  m.challenged.Load(),
		Checks:      m.checked.Load(),
		Unanswered:  m.unanswered.Load(),
		Wrong:       m.wrong.Load(),
		Foreign:     m.foreign.Load(),
		NotSynced:   m.notSynced.Load(),
		Limited:     loop.Limiter.Refused() + loop.Verified.Refused() + m.lists.Refused(),
	}
	m.servers.Do(time.Now(), func(t *locked) {
		s.Lists, s.Heartbeats = m.answered, m.heard
		s.Listed, s.Withheld, s.Refused = t.Listed, t.Withheld, t.Refused
	})
	return s
}
