package gamespy2net

import (
	"context"
	"errors"
	"iter"
	"net"
	"net/netip"

	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// Serve answers requests that arrive on pc until Shutdown or Close. It closes
// pc. Its error is never nil; it is [lobbywire.ErrClosed] after Shutdown and
// Close.
func (m *Master) Serve(pc net.PacketConn) error {
	m.start()
	m.registrar.addSockets(1)
	defer m.registrar.addSockets(-1)
	return m.socket.Serve(pc)
}

// ServeLists serves the lists of Games to clients that connect to l, usually at port
// [sb2.Port], until Shutdown or Close. It closes l. The Master gets the servers from Serve
// or from a Store, which may also supply servers that the program itself knows, as in the
// example named OwnServers. The error is never nil; it is [lobbywire.ErrClosed] after
// Shutdown and Close.
//
// A client gets the servers that meet its filter. The list contains the requested fields of
// a server if the client requests them for all servers, or if clients may be unable to
// query it, because it uses NAT negotiation or requires a challenge. After the list, the
// client may request all keys of a server, or send a message to one. A client that requests
// changes gets them at most once a second. Searches for players find none. Requests for the
// maps of a server get no answer, because servers do not report them.
//
// A list may be cached for up to 20 times the time it takes to encode, which is a
// fraction of a second for 10 000 servers.
func (m *Master) ServeLists(l net.Listener) error {
	m.start()
	return m.lists.conns.Serve(l)
}

// Respond appends the answers to a request to dst. The caller must send them from the address
// at which the request arrived. ok reports whether the datagram is of this protocol or Other
// knows it. Package [lobbywire] describes it.
func (m *Master) Respond(from netip.AddrPort, req []byte, dst [][]byte) (answers [][]byte, ok bool) {
	return m.start().Respond(from, req, dst)
}

func (m *Master) start() *udp.Server { return m.socket.Start(m.init) }

func (m *Master) init() {
	m.refusals.To = m.Refused
	m.socket.Handler = m.respond
	m.socket.MaxRequest = qr2.MaxHeartbeat
	m.socket.Logger = m.Logger
	m.socket.Other = m.Other
	m.socket.Minter.Slot = challengeSlot
	m.socket.Proven = new(limit.Proven)

	c := &m.catalogue
	c.admit, c.public, c.locate = m.Admit, m.Public, m.Locate
	c.servers.Refusals = &m.refusals
	r := &m.registrar
	r.catalogue, r.socket, r.refusals, r.unchecked = c, &m.socket, &m.refusals, m.Unchecked
	r.pending.repeat = r.repeat
	m.lists.catalogue, m.lists.logger = c, m.Logger
	m.lists.start(&m.socket)
	m.setLimits(m.Limits)
	c.start(m.Games, m.Store)
}

// SetLimits replaces Limits. It may be called while the Master serves. Servers beyond a
// lower limit stay listed, and open connections keep their deadlines.
func (m *Master) SetLimits(l MasterLimits) {
	m.start()
	m.setLimits(l)
}

func (m *Master) setLimits(l MasterLimits) {
	servers := registry.MasterLimits(l.MaxServers, l.MaxPerAddress, l.MaxPerPrefix)
	m.catalogue.servers.SetLimits(servers)
	requests := limit.RatesOf(l.Rates, registry.RatesFor(servers))
	m.socket.Limiter.Set(requests)
	m.socket.Verified.Set(requests)
	m.lists.setLimits(l)
}

// SetGames replaces Games. It may be called while the Master serves. Servers of a removed
// game, or of a game with a new key, are removed; they register again if they know the new
// key. Clients that receive changes of such a game, or of one with other settings, are
// disconnected.
func (m *Master) SetGames(games []Game) {
	m.start()
	m.catalogue.setGames(games)
}

// Shutdown ends every Serve once the requests it has read are answered. It stops
// watching the Store.
func (m *Master) Shutdown(ctx context.Context) error {
	m.start()
	m.catalogue.servers.Close()
	m.lists.unacked.end()
	defer m.catalogue.forgetLists()
	return errors.Join(m.socket.Shutdown(ctx), m.lists.conns.Shutdown(ctx))
}

// Close ends every Serve at once. It stops watching the Store.
func (m *Master) Close() error {
	m.start()
	m.catalogue.servers.Close()
	m.lists.unacked.end()
	defer m.catalogue.forgetLists()
	return errors.Join(m.socket.Close(), m.lists.conns.Close())
}

// Servers returns the servers that are listed or withheld, in no particular order.
// It does not block the Master, so it may miss servers that are added or removed
// during the iteration, and may yield a server twice if it is removed and added
// again.
func (m *Master) Servers() iter.Seq[Entry] {
	m.start()
	return m.catalogue.servers.All()
}

// Review calls Admit again for the servers with the addresses, as in Entry.Addr, or, without
// addresses, for every server, after the rules of Admit have changed.
func (m *Master) Review(servers ...netip.AddrPort) {
	m.start()
	m.catalogue.servers.Review(servers...)
}
