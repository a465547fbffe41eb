package gamespy2net

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// Expiry is how long a server stays listed after its last heartbeat or keepalive.
// Servers send a heartbeat every minute, and keepalives between them.
const Expiry = 150 * time.Second

// A Master lists the servers of Games, which must be set. Fields must not change
// while it serves.
//
// The Master answers a heartbeat from an unknown address, or with a new instance
// key, with a challenge. The answer proves that the server receives datagrams at its
// address and that it has the secret key of its game. The Master then sends
// Registered and queries the server, and lists it once it answers the query.
// Heartbeats and keepalives keep a server listed. It is removed Expiry after the
// last one, or at once by a heartbeat with [qr2.StateShutdown]. All of these count
// only from the verified address with the same instance key. Other datagrams are not
// answered. Admit may withhold servers from the list; neither the servers nor
// clients can notice it.
//
// Servers that send from IPv6 addresses are ignored, because lists can only
// contain IPv4 addresses.
//
// # Safety
//
// A challenge is a keyed hash of the server's address and the time, valid for 10 to
// 20 seconds. Until its address is verified, a server needs memory only in a table of
// fixed size.
//
// To get an address listed, an attacker must receive the datagrams sent to it, and know the
// secret key of a game. The keys of most games are public. The Master never sends more
// bytes to an unverified source than it has received from it. Heartbeats of listed servers
// have no rate limit, because they are not answered, except those that report a change. To
// keep another's server listed or to remove it, an attacker must know its instance key,
// which only that server and the Master know.
type Master struct {
	// Games are the games whose servers are listed. Their names must be unique.
	Games []Game

	Limits MasterLimits

	// Unchecked lists servers without querying them first.
	Unchecked bool

	// Admit reports whether a server is listed, as package lobbywire describes; other
	// servers are withheld. nil admits all.
	Admit func(e Entry) bool

	// Store shares the list with other Masters. nil keeps it in the memory of this
	// Master only.
	Store Store

	// Locate returns the country and the region of an address, or "" if they are
	// unknown. They are the values of the keys country and region in lists and filters.
	// Locate is called when a server registers. It must be quick, and must not call the
	// Master. If it is nil, country and region are unknown for all addresses.
	Locate func(addr netip.Addr) (country, region string)

	// Other answers datagrams of other protocols. The first GameSpy protocol uses the
	// same port: set Other to Respond of a gameagentnet.Master to serve both. nil
	// ignores such datagrams.
	Other func(from netip.AddrPort, req []byte, dst [][]byte) [][]byte

	Logger *slog.Logger // nil is silent

	lists      masterLists
	loop       udp.Server
	games      map[string]*gameTable // by name
	challenged atomic.Uint64
	wrong      atomic.Uint64
	foreign    atomic.Uint64

	servers registry.Servers[netip.AddrPort, registered, Entry] // by the address that heartbeats come from
	pending pendingTable                                        // guarded by the lock of servers, also below
	heard   uint64                                              // heartbeats
}

// challengeSlot is how long the challenge of an address stays the same.
const challengeSlot = 10 * time.Second

func (m *Master) start() *udp.Server { return m.loop.Start(m.init) }

func (m *Master) init() {
	m.loop.Handler = m.respond
	m.loop.MaxRequest = qr2.MaxHeartbeat
	m.loop.Logger = m.Logger
	m.loop.Minter.Slot = challengeSlot
	m.servers.Max = cmp.Or(m.Limits.MaxServers, 100_000)
	m.servers.MaxPerAddress = cmp.Or(m.Limits.MaxPerAddress, 64)
	m.servers.MaxPerPrefix = cmp.Or(m.Limits.MaxPerPrefix, 256)
	rates := registry.RatesFor(m.servers.Counter)
	m.loop.Limiter.Set(m.Limits.Rates, rates)
	m.loop.Verified.Set(m.Limits.Rates, rates)
	m.games = make(map[string]*gameTable)
	for _, g := range m.Games {
		m.games[g.Name] = &gameTable{Game: g}
	}
	p := &m.lists
	p.loop.Handler = m.serveClient
	p.loop.Limits = m.Limits.Conns
	p.loop.Defaults = lobbywire.ConnLimits{
		First: 10 * time.Second, Frame: 10 * time.Second, Idle: 2 * time.Minute, Write: 10 * time.Second,
		MaxConns: 10_000, MaxPerAddress: 32, MaxPerPrefix: 128, MaxBuffered: 4 << 20,
	}
	p.loop.MaxFrame = sb2.MaxRequest
	p.loop.Logger = m.Logger
	p.limiter.Set(m.Limits.Lists, lobbywire.Rates{PerSource: 10, PerPrefix: 40, Global: 1000})
	p.slots = make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2))
	p.maxSubscribers = int64(cmp.Or(m.Limits.MaxSubscribers, 1000))
	m.servers.Expiry, m.servers.Store = Expiry, m.Store
	m.servers.Start((*listMaster)(m), m.put, func(addr netip.AddrPort) { m.servers.Forget(udp.Unmap(addr)) })
}

// Respond appends the answers to a request to dst; package [lobbywire] describes it.
func (m *Master) Respond(from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
	return m.start().Respond(from, req, dst)
}

func (m *Master) respond(now time.Time, from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
	if len(req) > qr2.MaxHeartbeat {
		return dst
	}
	switch qr2.PeekToMaster(req).(type) {
	case qr2.AvailabilityRequest:
		return m.available(from, req, now, dst)
	case qr2.Heartbeat:
		return m.heartbeat(from, req, now, dst)
	case qr2.ChallengeAnswer:
		return m.answered(from, req, now, dst)
	case qr2.Keepalive:
		return m.keepalive(from, req, now, dst)
	case qr2.ClientMessageAck:
		m.acknowledged(from, req)
	case nil:
		if !m.queryAnswered(from, req, now) && m.Other != nil {
			return m.Other(from, req, dst)
		}
	}
	return dst
}

// listable reports whether a server that sends from an address can be listed.
func listable(from netip.AddrPort) bool { return from.Addr().Is4() && from.Port() > 0 }

// available answers an AvailabilityRequest for a known game. A server's answer to a
// challenge request may look like one, with a number as the name of the game.
func (m *Master) available(from netip.AddrPort, req []byte, now time.Time, dst [][]byte) [][]byte {
	if !m.loop.Limiter.Allow(from.Addr(), now) {
		return dst
	}
	r, err := qr2.ParseAvailabilityRequest(req)
	game := m.games[r.GameName]
	if err != nil || game == nil {
		m.foreign.Add(1)
		return dst
	}
	return udp.AppendMessage(dst, qr2.AvailabilityAnswer{Availability: game.Availability}) // cannot fail
}

// heartbeat keeps a server listed, or sends it a challenge.
func (m *Master) heartbeat(from netip.AddrPort, req []byte, now time.Time, dst [][]byte) [][]byte {
	if !listable(from) {
		return dst
	}
	switch verified, unchecked := m.refresh(from, req, now); {
	case unchecked && m.loop.Verified.Allow(from.Addr(), now):
		return m.query(from, len(req), now, dst)
	case verified:
		return dst
	}
	// Forged heartbeats do not use up the limit of a listed server.
	if !m.loop.Limiter.Allow(from.Addr(), now) {
		return dst
	}
	r, game := m.read(req)
	if game == nil || r.identity.State == qr2.StateShutdown {
		return dst
	}
	var text [qr2.MaxChallenge]byte
	c := qr2.Challenge{Key: r.heartbeat.Key, Text: string(game.appendChallenge(text[:0], from, m.loop.Minter.Token(from, now)))}
	out := udp.Next(dst)
	last := &out[len(dst)]
	if *last, _ = c.AppendBinary(*last); len(*last) > len(req) { // cannot fail
		return dst
	}
	m.challenged.Add(1)
	m.servers.Lock(now)
	m.pending.put(from, req, now)
	m.servers.Unlock()
	return out
}

// answered registers a server that answers its challenge. A right answer is charged to no
// limit, so that all servers of an address can register at once. A server with a wrong key
// gets an error.
func (m *Master) answered(from netip.AddrPort, req []byte, now time.Time, dst [][]byte) [][]byte {
	a, err := qr2.ParseChallengeAnswer(req)
	if err != nil || !listable(from) {
		return dst
	}
	switch m.register(from, &a, now) {
	case answerRight:
		dst = udp.AppendMessage(dst, qr2.Registered{Key: a.Key}) // cannot fail
		if !m.Unchecked {
			dst = m.query(from, len(req)-len(dst[len(dst)-1]), now, dst)
		}
	case answerWrong:
		out := udp.AppendMessage(dst, qr2.AddError{Key: a.Key, Code: 1, Text: "wrong secret key"}) // cannot fail
		if len(out[len(dst)]) <= len(req) && m.loop.Limiter.Allow(from.Addr(), now) {
			return out
		}
	}
	return dst
}

// keepalive keeps a server listed and answers it.
func (m *Master) keepalive(from netip.AddrPort, req []byte, now time.Time, dst [][]byte) [][]byte {
	k, err := qr2.ParseKeepalive(req)
	if err != nil || !m.touch(from, k.Key, now) || !m.loop.Verified.Allow(from.Addr(), now) {
		return dst
	}
	return udp.AppendMessage(dst, qr2.KeepaliveAnswer{Key: k.Key, HasTime: true, Time: uint32(now.Unix())}) // cannot fail
}

// Serve answers requests that arrive on pc until Shutdown or Close. It closes
// pc. Its error is never nil; it is [lobbywire.ErrClosed] after Shutdown and
// Close.
func (m *Master) Serve(pc net.PacketConn) error { return m.start().Serve(pc) }

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
}

// Stats returns a snapshot.
func (m *Master) Stats() MasterStats {
	p, l := &m.lists, m.start()
	m.servers.Lock(time.Now())
	defer m.servers.Unlock()
	return MasterStats{
		PacketStats: l.Stats(), Conns: p.loop.Stats(),
		Challenges: m.challenged.Load(), Heartbeats: m.heard,
		Listed: m.servers.Listed, Withheld: m.servers.Withheld, Unchecked: m.servers.Len() - m.servers.Listed - m.servers.Withheld,
		Refused: m.servers.Refused, Limited: l.Limiter.Refused() + l.Verified.Refused(), Wrong: m.wrong.Load(), Foreign: m.foreign.Load(),
		Lists: p.lists.Load(), RefusedLists: p.refused.Load(),
		Rules: p.rules.Load(), Messages: p.messages.Load(),
		Pushed: p.pushed.Load(), Subscribers: int(p.subscribers.Load()),
		LimitedClients: p.limiter.Refused(),
	}
}

// Shutdown ends every Serve once the requests it has read are answered. It stops
// watching the Store.
func (m *Master) Shutdown(ctx context.Context) error {
	m.start()
	m.servers.Close()
	m.lists.unacked.end()
	return errors.Join(m.loop.Shutdown(ctx), m.lists.loop.Shutdown(ctx))
}

// Close ends every Serve at once. It stops watching the Store.
func (m *Master) Close() error {
	m.start()
	m.servers.Close()
	m.lists.unacked.end()
	return errors.Join(m.loop.Close(), m.lists.loop.Close())
}
