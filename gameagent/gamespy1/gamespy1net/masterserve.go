package gamespy1net

import (
	"context"
	"crypto/rand"
	"errors"
	"iter"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/internal/serverlist"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// Serve answers requests of both protocols that arrive on pc, until Shutdown or Close. It
// closes pc. Its error is never nil; it is [lobbywire.ErrClosed] after Shutdown and
// Close. While it runs, it queries servers as Check does.
func (m *Master) Serve(pc net.PacketConn) error {
	m.start()
	defer m.tasks.begin(m.runTasks)()
	return m.socket.Serve(pc)
}

// ServeLists sends the lists of games to clients that connect to l, until Shutdown or
// Close. It closes l. Its error is never nil; it is [lobbywire.ErrClosed] after
// Shutdown and Close. While it runs, it queries servers as Check does.
func (m *Master) ServeLists(l net.Listener) error {
	m.start()
	defer m.tasks.begin(m.runTasks)()
	return m.lists.conns.Serve(l)
}

// Check queries the servers that have sent a heartbeat of a game, and fetches the servers
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
// at which the request arrived. ok reports whether the datagram is of this protocol or Other
// knows it. Package [lobbywire] describes it.
func (m *Master) Respond(from netip.AddrPort, req []byte, dst [][]byte) (answers [][]byte, ok bool) {
	return m.start().Respond(from, req, dst)
}

// RespondAt is Respond for a request that arrived at a local address, from which the Master
// then queries a server that registers by GameSpy. If the address is not valid, the
// operating system chooses one.
func (m *Master) RespondAt(
	local netip.Addr, from netip.AddrPort, req []byte, dst [][]byte,
) (answers [][]byte, ok bool) {
	return m.start().RespondAt(local, from, req, dst)
}

func (m *Master) start() *udp.Server { return m.socket.Start(m.init) }

func (m *Master) init() {
	m.refusals.To = m.Refused
	m.socket.Handler = m.respond
	m.socket.MaxRequest = gameagent.MaxHeartbeat
	m.socket.Logger = m.Logger
	m.socket.Other = m.Other
	m.socket.Minter.Slot = challengeSlot
	m.socket.Proven = new(limit.Proven)

	list := &m.list
	list.Public, list.Proven, list.Servers.Refusals = m.Public, m.socket.Proven, &m.refusals
	if m.Admit != nil {
		list.Admit = func(e serverlist.Entry) bool { return m.Admit(entryOf(e)) }
	}
	if m.Store != nil {
		list.Servers.Store = listStore{m.Store}
	}
	k := &m.checker
	k.List, k.Socket, k.Refusals, k.DialFrom = list, &m.socket, &m.refusals, m.dialFrom
	k.Start()
	r := &m.registrar
	r.list, r.checker, r.socket, r.refusals = list, k, &m.socket, &m.refusals
	s := &m.syncer
	s.list, s.checker, s.dial, s.logger, s.id = list, k, m.Dial, m.Logger, rand.Text()
	s.masters.set(m.SyncFrom, m.SyncFor)
	l := &m.lists
	l.list, l.sync, l.proven, l.logger = list, s, m.socket.Proven, m.Logger
	l.start()
	m.setLimits(m.Limits)
	list.Start(listRules(m.Games))
}

// dialFrom returns the function that opens sockets. Without a Dial they are bound to
// a local address, if that is valid.
func (m *Master) dialFrom(local netip.Addr) serverlist.Dialer {
	if m.Dial != nil || !local.IsValid() {
		return m.Dial
	}
	d := net.Dialer{LocalAddr: net.UDPAddrFromAddrPort(netip.AddrPortFrom(local, 0))}
	return d.DialContext
}

// runTasks checks servers, and fetches the servers of other masters, until ctx is done.
func (m *Master) runTasks(ctx context.Context) {
	var running sync.WaitGroup
	running.Go(func() { m.syncer.run(ctx) })
	running.Go(func() { m.checker.Run(ctx) })
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
	m.list.Servers.SetLimits(servers)
	requests := limit.RatesOf(l.Rates, registry.RatesFor(servers))
	m.socket.Limiter.Set(requests)
	m.socket.Verified.Set(requests)
	m.lists.setLimits(l)
}

// SetGames replaces Games. It may be called while the Master serves. Servers of a new game,
// or that must now answer a challenge, are listed after their next heartbeat. Servers of
// other games stay in the list of GameAgent if they have registered by it, and are
// otherwise removed.
func (m *Master) SetGames(games map[string]Game) {
	m.start()
	m.list.SetGames(listRules(games))
}

// SetSync replaces SyncFrom and SyncFor. It may be called while the Master serves. Servers
// of masters that are no longer in SyncFrom expire.
func (m *Master) SetSync(from []string, peers []netip.Prefix) {
	m.start()
	m.syncer.masters.set(from, peers)
}

// Shutdown ends every Serve, ServeLists and Check once the requests they have read are
// answered. It stops watching the Store.
func (m *Master) Shutdown(ctx context.Context) error {
	m.start()
	m.list.Servers.Close()
	return errors.Join(m.tasks.life.Shutdown(ctx), m.socket.Shutdown(ctx), m.lists.conns.Shutdown(ctx))
}

// Close ends every Serve, ServeLists and Check at once. It stops watching the Store.
func (m *Master) Close() error {
	m.start()
	m.list.Servers.Close()
	return errors.Join(m.tasks.life.Close(), m.socket.Close(), m.lists.conns.Close())
}

// Servers returns the servers that are listed or withheld, in no particular order.
// It does not block the Master, so it may miss servers that are added or removed
// during the iteration, and may yield a server twice if it is removed and added
// again.
func (m *Master) Servers() iter.Seq[Entry] {
	m.start()
	return func(yield func(Entry) bool) {
		for e := range m.list.Servers.All() {
			if !yield(entryOf(e)) {
				return
			}
		}
	}
}

// SetSession sets the Session of a server, as in Entry.Game, for programs that query listed
// servers for their status. It is saved and shared with the Entry, so that lists contain
// names before the next query. It does nothing if the server has not registered by
// GameAgent.
func (m *Master) SetSession(game netip.AddrPort, s Session) {
	m.start()
	m.list.SetSession(serverlist.SourceOf(game), serverlist.Session(s), time.Now())
}

// Review calls Admit again for the servers of the games, as in Entry.Game, or, without games, for
// every server, after the rules of Admit have changed.
func (m *Master) Review(games ...netip.AddrPort) {
	m.start()
	sources := make([]netip.AddrPort, len(games))
	for i, game := range games {
		sources[i] = serverlist.SourceOf(game)
	}
	m.list.Servers.Review(sources...)
}
