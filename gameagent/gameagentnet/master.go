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
	"sync"
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
// from an unlisted server with a challenge; the server is listed once it returns
// it. Heartbeats keep a server listed; it is removed Expiry after the last one. A
// server that joins again is hidden until it returns a challenge again. Unknown
// datagrams are not answered. Admit may withhold servers from the list, which
// neither they nor clients can notice.
//
// # Legacy form
//
// A heartbeat of a game that Games has makes the Master query the announced query port,
// and the answer lists the server. If the Master has the key of the game, it also sends
// a challenge to where the heartbeat came from, and with the query if that is another
// port. A server that returns it is queried before others, and only such servers are
// listed if the game has Validate. Heartbeats of listed servers are followed by a query
// too, so forged ones keep nothing listed, and a change of state by one two seconds
// later, which removes a server that has stopped.
//
// A server may be in both lists; the package documentation has the rules.
//
// # Memory
//
// A server needs memory only once it is listed: challenges are a keyed hash of its
// address and the time, valid for 10 to 20 seconds. Limits on entries and fixed
// tables for rates bound the rest. So the Master, unlike the original one, keeps
// nothing about servers that have joined and not yet returned a challenge:
//
//   - It answers each heartbeat and state change of such a server with the
//     challenge. The original does not answer them, and forgets the server after
//     its seventh state change. Both ignore a heartbeat with a wrong challenge.
//   - Challenges stay the same for a while, and are never 0, which is the challenge
//     of heartbeats that answer none.
//   - Expiry begins when a server is listed, not when it joins.
//
// Other differences are intentional. Servers expire by the clock, not when a client
// requests the list; if more than a thousand servers expire at once, each request
// removes a thousand. Servers that send from port 0 or 1 are ignored, because there
// is no valid game port below; the original lists port 0. So are servers on IPv6,
// because the list has room for IPv4 only. An invalid heartbeat is ignored unless
// it is from a listed server, and so is any datagram longer than
// [gameagent.MaxHeartbeat], which the original truncates. The original exits at an
// empty datagram.
//
// # Safety
//
// To list an address, an attacker must receive the datagrams sent to it, or guess
// one of two 31-bit numbers within the rate limits. In the legacy form, without
// Validate, it is one of about 28 000 ports, because the engine returns no challenge. A challenge has 5 bytes, for a
// request of 1. Heartbeats of listed servers have no limit, because they are not
// answered: a flood of joins does not remove listed servers. A forged join hides a
// server until it returns the challenge, which servers do at once, and not again
// within 10 seconds. After a forged heartbeat, Admit sees forged content until the
// next heartbeat of the server.
//
// Anybody can have the list sent to any address, for one byte. An answer is at most
// MaxListPackets datagrams, by default 16336 bytes; SECURITY.md has the factors. So
// Limits.Lists bounds the datagrams a second for each source, forged or not, and in
// total. Lists have
// limits of their own, so that requests for lists do not keep servers from joining.
type Master struct {
	Limits MasterLimits

	// Games are the games whose servers are listed in the legacy form, by their
	// names in heartbeats. nil means those of [SeriousSam]; an empty map lists none.
	// With SyncFrom and SyncFor, the Key of [gameagent.LegacyMasterGame] is that of
	// the masters.
	Games map[string]LegacyGame

	// SyncFrom are the addresses, host:port of TCP ports, of legacy masters whose
	// servers are fetched and listed, once they have answered a query.
	SyncFrom []string

	// SyncFor are the addresses of legacy masters that may fetch the servers that
	// have registered here.
	SyncFor []netip.Prefix

	// Dial opens sockets, for the network "udp" to query servers in the legacy form
	// and for "tcp" to fetch lists. nil means sockets of the system.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	// Admit reports whether a server is listed. Servers that it does not admit are
	// withheld from the list and otherwise treated as usual: they are among
	// Servers, as Withheld, are shared, and count for the limits. nil admits all.
	//
	// It is called for every server that is new or has changed, here or in the
	// Store, sometimes also without a change, and by Review. It is called by one
	// goroutine at a time, which blocks all others, so it must be quick, and must
	// not call the Master.
	Admit func(e Entry) bool

	// Store shares the list with other Masters. nil keeps it in the memory of this
	// one.
	Store Store

	Logger *slog.Logger // nil is silent

	loop       udp.Server
	conns      stream.Server
	tasks      tasks
	games      map[string]*game
	lanes      lanes
	waiting    waiting
	epoch      time.Time
	id         string // random, in requests to other masters
	lists      limit.Limiter
	packets    int // MaxListPackets or its default
	refused    atomic.Uint64
	limited    atomic.Uint64
	challenged atomic.Uint64 // requests
	foreign    atomic.Uint64
	wrong      atomic.Uint64
	checked    atomic.Uint64
	unanswered atomic.Uint64
	sentLists  atomic.Uint64 // over TCP
	unwatch    func()        // of the Store

	mu       sync.Mutex
	servers  registry.Table[registered] // by the address for queries, which that of native heartbeats is
	list     answerList
	listed   int    // servers
	withheld int    // servers
	answered uint64 // requests for the native list
	heard    uint64 // heartbeats
}

// registered is a server that has returned a challenge in the native form, or has
// answered a query in the legacy form, or both.
type registered struct {
	heartbeat string // the last one; "" if it has sent none in the native form
	status    string // the last answer; "" if it has given none in the legacy form
	game      *game  // of these; nil if the Master has no such game
	in        *game  // in whose list it is; nil if it is in none
	place     int32  // in the native list, or why it is not there
	gamePlace int32  // in the list of in
	synced    bool   // only another master has named it

	// By the clock of the Master, 0 if never.
	hid     time.Duration // when it was last hidden
	shared  time.Duration // when it was last put in the Store
	checked time.Duration // when it was last queried in the legacy form
}

// clock returns a time for a registered. It is more than any interval after 0.
func (m *Master) clock(now time.Time) time.Duration { return now.Sub(m.epoch) + Expiry }

// Why a server is not in the native list.
const (
	hidden    = -1 // it has joined again
	withheld  = -2 // Admit does not admit it
	elsewhere = -3 // it is only in the list of its game
)

// Times of a Master.
const (
	challengeSlot = 10 * time.Second
	hideEvery     = 10 * time.Second // at most
)

func (m *Master) start() *udp.Server { return m.loop.Start(m.init) }

func (m *Master) init() {
	m.loop.Handler = m.respond
	m.loop.MaxRequest = gameagent.MaxHeartbeat
	m.loop.Logger = m.Logger
	m.loop.Minter.Slot = challengeSlot
	defaults := defaultLimits()
	m.loop.Limiter.Set(m.Limits.Rates, defaults.Rates)
	m.loop.Verified.Set(m.Limits.Rates, defaults.Rates)
	m.lists.Set(m.Limits.Lists, defaults.Lists)
	m.packets = wire.Limit(m.Limits.MaxListPackets, defaults.MaxListPackets)
	m.servers.Max = cmp.Or(m.Limits.MaxServers, defaults.MaxServers)
	m.servers.MaxPerAddress = cmp.Or(m.Limits.MaxPerAddress, defaults.MaxPerAddress)
	m.servers.MaxPerPrefix = cmp.Or(m.Limits.MaxPerPrefix, defaults.MaxPerPrefix)
	m.games = newGames(m.Games)
	m.lanes = newLanes()
	m.epoch = time.Now()
	m.id = rand.Text()
	m.conns.Handler = m.serveConn
	m.conns.Limits, m.conns.Defaults = m.Limits.Conns, defaults.Conns
	m.conns.MaxFrame = maxListRequest
	m.conns.Logger = m.Logger
	m.unwatch = func() {}
	if m.Store != nil {
		m.unwatch = m.Store.Watch(m.put, m.remove)
	}
}

// Respond appends the datagrams that answer a request to dst, none if the
// request gets no answer. It is for masters with a loop of their own; Serve calls
// it too.
//
// It reuses the memory of slices between len(dst) and cap(dst): a loop that
// passes dst[:0] of the last result allocates nothing.
func (m *Master) Respond(from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
	return m.start().Respond(from, req, dst)
}

func (m *Master) respond(now time.Time, from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
	from = unmap(from)
	if len(req) > gameagent.MaxHeartbeat {
		return dst
	}
	// Only the first byte counts of native requests other than heartbeats.
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
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expireLocked(now)
	n := min(len(m.list.encoded.Packets()), m.packets)
	if n == 0 || !m.lists.AllowN(from.Addr(), n, now) {
		m.limited.Add(1)
		return dst
	}
	m.answered++
	return m.list.appendNext(dst, n)
}

// join answers a server that joins, or that is not listed and reports a change.
func (m *Master) join(from netip.AddrPort, again bool, now time.Time, dst [][]byte) [][]byte {
	if !listable(from) {
		return dst
	}
	if native, legacy := m.isVerified(from, now); native || again && legacy {
		if !again || !m.allow(&m.loop.Verified, from, now) {
			return dst
		}
		m.hide(from, now)
	} else if !m.allow(&m.loop.Limiter, from, now) {
		return dst
	}
	return m.challenge(from, now, dst)
}

// heartbeat keeps a server listed, or makes it so.
func (m *Master) heartbeat(from netip.AddrPort, req []byte, now time.Time, dst [][]byte) [][]byte {
	if !listable(from) {
		return dst
	}
	known, verified := m.refresh(from, req, now)
	// Forged heartbeats do not use up the limit of a listed server.
	if verified || !known && !m.allow(&m.loop.Limiter, from, now) {
		return dst
	}
	h, err := gameagent.ParseHeartbeat(req)
	switch {
	case err != nil:
	case h.Challenge == 0 && (!known || m.allow(&m.loop.Verified, from, now)):
		return m.challenge(from, now, dst)
	case m.loop.Minter.ValidAs(number, from, h.Challenge, now):
		m.enlist(from, req, now)
	}
	return dst
}

// allow reports whether the limits allow to handle a request.
func (m *Master) allow(l *limit.Limiter, from netip.AddrPort, now time.Time) bool {
	if l.Allow(from.Addr(), now) {
		return true
	}
	m.limited.Add(1)
	return false
}

func (m *Master) challenge(from netip.AddrPort, now time.Time, dst [][]byte) [][]byte {
	m.challenged.Add(1)
	dst = udp.Next(dst)
	dst[len(dst)-1], _ = gameagent.Challenge{Challenge: number(m.loop.Minter.Token(from, now))}.AppendBinary(dst[len(dst)-1])
	return dst
}

// number returns a token as a challenge. It is positive and so has 31 bits, because not
// all servers are known to send a sign back.
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
// Close. It closes l. Its error is as that of Serve. While it runs, it queries servers
// as Check does.
func (m *Master) ServeLists(l net.Listener) error {
	m.start()
	defer m.tasks.begin(m.runTasks)()
	return m.conns.Serve(l)
}

// Check queries the servers that have sent a legacy heartbeat, and fetches the servers
// of the masters of SyncFrom, until ctx is done or Shutdown or Close. It is for
// masters with a loop of their own, which call Respond.
func (m *Master) Check(ctx context.Context) error {
	m.start()
	defer m.tasks.begin(m.runTasks)()
	return m.tasks.life.Run(ctx, func(ctx context.Context) error {
		<-ctx.Done()
		return context.Cause(ctx)
	})
}

// MasterStats count since the Master was made, datagrams those of Serve.
type MasterStats struct {
	lobbywire.PacketStats

	Conns lobbywire.ConnStats // of ServeLists

	Lists       uint64 // requests answered with the native list
	LegacyLists uint64 // requests answered with the legacy list
	Challenges  uint64 // requests answered with a challenge
	Heartbeats  uint64 // of servers that are listed or withheld

	Checks     uint64 // queries of servers in the legacy form
	Unanswered uint64 // of these, those that were not answered
	Wrong      uint64 // wrong or missing answers to challenges, of servers and clients of the legacy form
	Foreign    uint64 // legacy heartbeats of games that are not in Games

	Listed   int    // servers now
	Withheld int    // servers now that Admit does not admit
	Refused  uint64 // servers not listed because there are too many, in total or of their address
	Limited  uint64 // requests not handled, or lists not sent, because of a limit on rates
}

// Stats returns a snapshot.
func (m *Master) Stats() MasterStats {
	s := MasterStats{
		PacketStats: m.start().Stats(),
		Conns:       m.conns.Stats(),
		LegacyLists: m.sentLists.Load(),
		Challenges:  m.challenged.Load(),
		Checks:      m.checked.Load(),
		Unanswered:  m.unanswered.Load(),
		Wrong:       m.wrong.Load(),
		Foreign:     m.foreign.Load(),
		Refused:     m.refused.Load(),
		Limited:     m.limited.Load(),
	}
	defer m.lock()()
	s.Lists, s.Heartbeats = m.answered, m.heard
	s.Listed, s.Withheld = m.listed, m.withheld
	return s
}

// Shutdown ends every Serve, ServeLists and Check once the requests they have read are
// answered. It stops watching the Store.
func (m *Master) Shutdown(ctx context.Context) error {
	m.start()
	m.unwatch()
	return errors.Join(m.tasks.life.Shutdown(ctx), m.loop.Shutdown(ctx), m.conns.Shutdown(ctx))
}

// Close ends every Serve, ServeLists and Check at once. It stops watching the Store.
func (m *Master) Close() error {
	m.start()
	m.unwatch()
	return errors.Join(m.tasks.life.Close(), m.loop.Close(), m.conns.Close())
}
