package gameagentnet

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"math"
	"net"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/internal/udp"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// Expiry is how long a server stays listed after its last heartbeat.
const Expiry = 300 * time.Second

// A Master lists servers for clients, in both forms. Its zero value is ready; fields
// must not change while it serves.
//
// # Native form
//
// The Master answers a join, a heartbeat without a challenge, and a state change
// from an unlisted server with a challenge. A server that returns it is listed.
// Heartbeats keep a server listed; it is removed Expiry after the last one. A
// server that joins again is hidden until it returns a challenge again. Unknown
// datagrams are not answered.
//
// # Legacy form
//
// After a heartbeat of a game in Games, the Master queries the query port that the
// heartbeat announces, and lists the server if it answers. If the Master has the key of
// the game, it also sends a challenge to the source of the heartbeat and, if that is
// another port, to the query port. A server that returns the challenge is queried
// before others. If the game has Validate, only such servers are listed. The Master
// also queries listed servers after a heartbeat, so forged heartbeats keep nothing
// listed. After a change of state it does so two seconds later, and removes a server
// that has stopped.
//
// # Memory
//
// A server needs memory only once it is listed: a challenge is a keyed hash of its
// address and the time, valid for 10 to 20 seconds. Limits on entries and fixed
// tables for rates bound the rest.
//
// # Differences from the original master
//
//   - The Master answers each heartbeat and state change of a server that has not
//     returned a challenge with a challenge. The original does not answer them, and
//     forgets the server after its seventh state change. Both ignore a heartbeat with a
//     wrong challenge.
//   - Challenges stay the same for a while, and are never 0. Expiry begins when a server
//     is listed, not when it joins.
//   - Servers expire by the clock, not when a client requests the list. If more than a
//     thousand servers expire at once, each request removes a thousand.
//   - Servers that send from port 0 or 1, or on IPv6, are ignored, because the list cannot
//     contain them; the original lists port 0.
//   - An invalid heartbeat is ignored unless it is from a listed server. A datagram longer
//     than [gameagent.MaxHeartbeat] is ignored; the original truncates it, and exits when
//     it receives an empty datagram.
//
// # Safety
//
// To get an address listed, an attacker must receive the datagrams sent to it, or guess one
// of two 31-bit numbers within the rate limits. In the legacy form without Validate the
// attacker must guess one of about 28 000 ports instead, because the engine does not return
// challenges. Heartbeats of listed servers have no rate limit, because they are not
// answered, so a flood of joins does not remove listed servers. A forged join hides a server
// until it returns the challenge, which servers do at once; it cannot be hidden again
// within 10 seconds. After a forged heartbeat, Admit sees forged content until the next
// heartbeat of the server.
//
// A request of one byte with a forged address sends the list to that address. An
// answer has at most MaxListPackets datagrams; SECURITY.md has the amplification.
// Limits.Lists bounds the datagrams a second for each source, forged or not, and
// in total. Requests for lists do not keep servers from joining.
type Master struct {
	Limits MasterLimits

	// Games are the games whose servers are listed in the legacy form, by their
	// names in heartbeats. nil means those of [SeriousSam]; an empty map lists none.
	// SyncFrom and SyncFor use the Key of the game [gameagent.LegacyMasterGame].
	Games map[string]LegacyGame

	// SyncFrom are the TCP addresses, host:port, of legacy masters whose servers
	// are fetched. Each server is listed once it has answered a query.
	SyncFrom []string

	// SyncFor are the addresses of legacy masters that may fetch the servers that
	// register here.
	SyncFor []netip.Prefix

	// Dial opens sockets, for the network "udp" to query servers in the legacy form
	// and for "tcp" to fetch lists. nil means sockets of the operating system.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	// Admit reports whether a server is listed, as package lobbywire describes; other
	// servers are withheld. nil admits all.
	Admit func(e Entry) bool

	// Store shares the list with other Masters. nil keeps it in the memory of this
	// Master only.
	Store Store

	Logger *slog.Logger // nil is silent

	loop    udp.Server
	conns   stream.Server
	tasks   sharedTask
	games   map[string]*game
	lanes   lanes
	waiting waitList
	id      string // random, in requests to other masters
	lists   limit.Limiter
	packets int // MaxListPackets or its default

	// Counts as in MasterStats.
	challenged, foreign, wrong, checked, unanswered, sentLists atomic.Uint64

	servers  registry.Servers[netip.AddrPort, registered, Entry] // by query address, which is also the source of native heartbeats
	list     answerList                                          // guarded by the lock of servers, also below
	answered uint64                                              // requests for the native list
	heard    uint64                                              // heartbeats
}

// registered is a server that has returned a challenge in the native form, or has
// answered a query in the legacy form, or both. It is hidden after it has joined again.
type registered struct {
	heartbeat string // the last native one, or ""
	status    string // the last legacy answer, or ""
	game      *game  // nil if Games does not have it
	in        *game  // the game in whose list it is, or nil
	place     int32  // in the native list, or nowhere
	gamePlace int32  // in the list of in
	synced    bool   // known only from another master

	// By the Clock of the servers, 0 if never.
	hid     time.Duration // when it was last hidden
	checked time.Duration // when it was last queried in the legacy form
}

const nowhere = -1

// Times of a Master.
const (
	challengeSlot = 10 * time.Second
	hideEvery     = 10 * time.Second // minimum
)

func (m *Master) start() *udp.Server { return m.loop.Start(m.init) }

func (m *Master) init() {
	m.loop.Handler = m.respond
	m.loop.MaxRequest = gameagent.MaxHeartbeat
	m.loop.Logger = m.Logger
	m.loop.Minter.Slot = challengeSlot
	m.lists.Set(m.Limits.Lists, lobbywire.Rates{PerSource: 16, PerPrefix: 400, Global: 10_000})
	m.packets = wire.Limit(m.Limits.MaxListPackets, 16)
	m.servers.Max = cmp.Or(m.Limits.MaxServers, 100_000)
	m.servers.MaxPerAddress = cmp.Or(m.Limits.MaxPerAddress, 64)
	m.servers.MaxPerPrefix = cmp.Or(m.Limits.MaxPerPrefix, 256)
	rates := registry.RatesFor(m.servers.Counter)
	m.loop.Limiter.Set(m.Limits.Rates, rates)
	m.loop.Verified.Set(m.Limits.Rates, rates)
	m.games = newGames(m.Games)
	m.lanes = newLanes()
	m.id = rand.Text()
	m.conns.Handler = m.serveConn
	m.conns.Limits = m.Limits.Conns
	m.conns.Defaults = lobbywire.ConnLimits{
		First: 10 * time.Second, Frame: 10 * time.Second, Idle: 10 * time.Second, Write: 10 * time.Second,
		MaxConns: 4096, MaxPerAddress: 32, MaxPerPrefix: 256, MaxBuffered: 4 << 20,
	}
	m.conns.MaxFrame = maxListRequest
	m.conns.Logger = m.Logger
	m.servers.Expiry = Expiry
	if m.Store != nil {
		m.servers.Store = storeBySource{m.Store}
	}
	m.servers.Start((*listMaster)(m), m.put, m.servers.Forget)
}

// Respond appends the answers to a request to dst; package [lobbywire] describes it.
func (m *Master) Respond(from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
	return m.start().Respond(from, req, dst)
}

func (m *Master) respond(now time.Time, from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
	if len(req) > gameagent.MaxHeartbeat {
		return dst
	}
	// Of native requests other than heartbeats, only the first byte matters.
	switch gameagent.PeekToMaster(req).(type) {
	case gameagent.ListRequest:
		return m.sendList(from, now, dst)
	case gameagent.Heartbeat:
		return m.heartbeat(from, req, now, dst)
	case gameagent.Join:
		return m.join(from, true, now, dst)
	case gameagent.StateChanged:
		return m.join(from, false, now, dst)
	case gameagent.LegacyHeartbeat:
		return m.legacyHeartbeat(from, req, now, dst)
	case gameagent.LegacyValidation:
		m.legacyValidation(from, req, now)
	}
	return dst
}

// listable reports whether a server that sends from an address can be listed.
func listable(from netip.AddrPort) bool { return from.Addr().Is4() && from.Port() > 1 }

// sendList answers with the list.
func (m *Master) sendList(from netip.AddrPort, now time.Time, dst [][]byte) [][]byte {
	m.servers.Lock(now)
	defer m.servers.Unlock()
	n := min(len(m.list.encoded.Packets()), m.packets)
	if n == 0 || !m.lists.AllowN(from.Addr(), n, now) {
		return dst
	}
	m.answered++
	return m.list.appendNext(dst, n)
}

// join answers a join, or a change of state from an unlisted server.
func (m *Master) join(from netip.AddrPort, again bool, now time.Time, dst [][]byte) [][]byte {
	if !listable(from) {
		return dst
	}
	if native, legacy := m.isVerified(from, now); native || again && legacy {
		if !again || !m.loop.Verified.Allow(from.Addr(), now) {
			return dst
		}
		m.hide(from, now)
	} else if !m.loop.Limiter.Allow(from.Addr(), now) {
		return dst
	}
	return m.challenge(from, now, dst)
}

// heartbeat lists a server or keeps it listed.
func (m *Master) heartbeat(from netip.AddrPort, req []byte, now time.Time, dst [][]byte) [][]byte {
	if !listable(from) {
		return dst
	}
	known, verified := m.refresh(from, req, now)
	if verified {
		return dst
	}
	h, err := gameagent.ParseHeartbeat(req)
	if err == nil && m.loop.Minter.ValidAs(number, from, h.Challenge, now) {
		// Charged to no limit, so that all servers of an address can register at once.
		m.enlist(from, req, now)
		return dst
	}
	// Forged heartbeats do not use up the limit of a listed server.
	if !known && !m.loop.Limiter.Allow(from.Addr(), now) {
		return dst
	}
	if err == nil && h.Challenge == 0 && (!known || m.loop.Verified.Allow(from.Addr(), now)) {
		return m.challenge(from, now, dst)
	}
	return dst
}

func (m *Master) challenge(from netip.AddrPort, now time.Time, dst [][]byte) [][]byte {
	m.challenged.Add(1)
	return udp.AppendMessage(dst, gameagent.Challenge{Challenge: number(m.loop.Minter.Token(from, now))})
}

// number converts a token to a challenge. It is positive, so it has 31 bits, because
// some servers may not return a sign.
func number(token uint32) int32 { return max(int32(token&math.MaxInt32), 1) }

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
// with a loop of their own, which call Respond.
func (m *Master) Check(ctx context.Context) error {
	m.start()
	defer m.tasks.begin(m.runTasks)()
	return m.tasks.life.Run(ctx, func(ctx context.Context) error {
		<-ctx.Done()
		return context.Cause(ctx)
	})
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
		Limited:     loop.Limiter.Refused() + loop.Verified.Refused() + m.lists.Refused(),
	}
	m.servers.Lock(time.Now())
	defer m.servers.Unlock()
	s.Lists, s.Heartbeats = m.answered, m.heard
	s.Listed, s.Withheld, s.Refused = m.servers.Listed, m.servers.Withheld, m.servers.Refused
	return s
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
