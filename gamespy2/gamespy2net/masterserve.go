package gamespy2net

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"net"
	"net/netip"
	"runtime"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// Serve answers requests that arrive on pc until Shutdown or Close. It closes
// pc. Its error is never nil; it is [lobbywire.ErrClosed] after Shutdown and
// Close.
func (m *Master) Serve(pc net.PacketConn) error {
	loop := m.start()
	m.addSockets(1)
	defer m.addSockets(-1)
	return loop.Serve(pc)
}

// addSockets changes the number of sockets from which datagrams can be repeated.
func (m *Master) addSockets(n int) {
	m.servers.Do(time.Now(), func(*locked) { m.pending.addSockets(n) })
}

// ServeLists serves the lists of Games to clients that connect to l, usually at port
// [sb2.Port], until Shutdown or Close. It closes l. The Master gets the servers from
// Serve or from a Store. The error is never nil; it is [lobbywire.ErrClosed] after
// Shutdown and Close.
//
// A client gets the servers that meet its filter. A server has the requested fields if
// the client requests them for all servers, or if clients may not be able to query the
// server, because it uses NAT negotiation or requires a challenge. After the list the
// client may request all keys of a server, or send a message to one. A client that
// requests changes gets them at most once a second. Searches for players find none.
// Requests for the maps of a server get no answer, because servers do not report them.
//
// A list may be cached for up to 20 times the time it takes to encode, which is a
// fraction of a second for 10 000 servers.
func (m *Master) ServeLists(l net.Listener) error {
	m.start()
	return m.lists.loop.Serve(l)
}

// Respond appends the answers to a request to dst. The caller must send them from the address
// at which the request arrived. Package [lobbywire] describes it.
func (m *Master) Respond(from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
	return m.start().Respond(from, req, dst)
}

func (m *Master) start() *udp.Server { return m.loop.Start(m.init) }

func (m *Master) init() {
	m.loop.Handler = m.respond
	m.loop.MaxRequest = qr2.MaxHeartbeat
	m.loop.Logger = m.Logger
	m.loop.Minter.Slot = challengeSlot
	m.loop.Proven = new(limit.Proven)
	m.games.Store(newGames(m.Games, &m.lists.encoded))
	p := &m.lists
	p.loop.Handler = m.serveClient
	p.loop.Defaults = lobbywire.ConnLimits{
		First: 10 * time.Second, Frame: 10 * time.Second, Idle: 2 * time.Minute, Write: 10 * time.Second,
		MaxConns: 10_000, MaxPerAddress: 32, MaxPerPrefix: 128, MaxBuffered: 4 << 20,
	}
	p.loop.MaxFrame = sb2.MaxRequest
	p.loop.Logger = m.Logger
	p.limiter.Proves = m.loop.Proven
	p.slots = make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2))
	m.setLimits(m.Limits)
	m.pending.repeat = m.repeat
	m.servers.Expiry, m.servers.Store = Expiry, m.Store
	m.refusals.To = m.Refused
	m.servers.Refusals = &m.refusals
	m.servers.Start((*listMaster)(m), m.put, func(addr netip.AddrPort) { m.servers.Forget(udp.Unmap(addr)) })
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
	p := &m.lists
	p.limiter.Set(limit.RatesOf(l.Lists, lobbywire.Rates{PerSource: 10, PerPrefix: 40, Global: 1000}))
	filters := limit.RatesOf(l.Filters, lobbywire.Rates{PerSource: 20e6, PerPrefix: 50e6, Global: 400e6})
	filters.PerSource.Burst *= 5 // lists of 100 000 servers
	filters.PerPrefix.Burst *= 2
	p.filters.Set(filters)
	p.maxSubscribers.Store(int64(cmp.Or(l.MaxSubscribers, 1000)))
	p.loop.SetLimits(l.Conns)
}

// Shutdown ends every Serve once the requests it has read are answered. It stops
// watching the Store.
func (m *Master) Shutdown(ctx context.Context) error {
	m.start()
	m.servers.Close()
	m.lists.unacked.end()
	defer m.forgetLists()
	return errors.Join(m.loop.Shutdown(ctx), m.lists.loop.Shutdown(ctx))
}

// Close ends every Serve at once. It stops watching the Store.
func (m *Master) Close() error {
	m.start()
	m.servers.Close()
	m.lists.unacked.end()
	defer m.forgetLists()
	return errors.Join(m.loop.Close(), m.lists.loop.Close())
}

// forgetLists removes the cached lists of all games.
func (m *Master) forgetLists() {
	for _, g := range *m.games.Load() {
		g.Encoded.Clear()
	}
}

// Servers returns the servers that are listed or withheld, in no particular order.
// It does not block the Master, so it may miss servers that are added or removed
// during the iteration, and may yield a server twice if it is removed and added
// again.
func (m *Master) Servers() iter.Seq[Entry] {
	m.start()
	return m.servers.All()
}

// Review calls Admit again for the servers with the addresses, as in Entry.Addr, or, without
// addresses, for every server, after the rules of Admit have changed.
func (m *Master) Review(servers ...netip.AddrPort) {
	m.start()
	m.servers.Review(servers...)
}

// MasterStats has the counts of a Master since its creation. PacketStats counts
// the datagrams of Serve.
type MasterStats struct {
	lobbywire.PacketStats
	Conns lobbywire.ConnStats // of ServeLists

	Challenges uint64 // heartbeats answered with a challenge
	Heartbeats uint64 // heartbeats of servers with a verified address

	Listed    int    // servers in the list now
	Withheld  int    // servers that Admit withholds now
	Unchecked int    // servers that have not answered a query yet
	Refused   uint64 // servers not listed because of a limit on their number
	Limited   uint64 // requests dropped because of a rate limit
	Wrong     uint64 // wrong answers to challenges: the server has a different secret key
	Foreign   uint64 // heartbeats and requests that are malformed or of games that are not in Games

	Lists          uint64 // lists sent to clients
	RefusedLists   uint64 // requests for lists that got an error
	Rules          uint64 // requests for the rules of a server that were answered
	Messages       uint64 // messages of clients that were forwarded to servers
	Pushed         uint64 // pushed changes, counted for each client
	Subscribers    int    // clients that get changes now
	LimitedClients uint64 // connections ended by Limits.Lists
	CostlyFilters  uint64 // lists refused and connections ended by Limits.Filters
}

// Stats returns a snapshot.
func (m *Master) Stats() MasterStats {
	p, l := &m.lists, m.start()
	s := MasterStats{
		PacketStats: l.Stats(), Conns: p.loop.Stats(),
		Challenges: m.challenged.Load(), Limited: l.Limiter.Refused() + l.Verified.Refused(),
		Wrong: m.wrong.Load(), Foreign: m.foreign.Load(),
		Lists: p.lists.Load(), RefusedLists: p.refused.Load(),
		Rules: p.rules.Load(), Messages: p.messages.Load(),
		Pushed: p.pushed.Load(), Subscribers: int(p.subscribers.Load()),
		LimitedClients: p.limiter.Refused(), CostlyFilters: p.costly.Load(),
	}
	m.servers.Do(time.Now(), func(t *locked) {
		s.Heartbeats, s.Listed, s.Withheld, s.Refused = m.heard, t.Listed, t.Withheld, t.Refused
		s.Unchecked = t.Len() - t.Listed - t.Withheld
	})
	return s
}
