package gameagentnet

import (
	"cmp"
	"context"
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
	"github.com/lobbywire/lobbywire/internal/udp"
)

// Expiry is how long a server stays listed after its last heartbeat.
const Expiry = 300 * time.Second

// A Master lists servers for clients, in the native form. Its zero value is ready;
// fields must not change while it serves.
//
// The Master answers a join, a heartbeat without a challenge, and a state change
// from an unlisted server with a challenge; the server is listed once it returns
// it. Heartbeats keep a server listed; it is removed Expiry after the last one. A
// server that joins again is hidden until it returns a challenge again. Unknown
// datagrams are not answered. Admit may withhold servers from the list, which
// neither they nor clients can notice.
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
// one of two 31-bit numbers within the rate limits. A challenge has 5 bytes, for a
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
	lists      limit.Limiter
	packets    int // MaxListPackets or its default
	refused    atomic.Uint64
	limited    atomic.Uint64
	challenged atomic.Uint64 // requests
	unwatch    func()        // of the Store

	mu       sync.Mutex
	servers  registry.Table[registered] // by the address that heartbeats come from
	list     answerList
	withheld int    // servers
	answered uint64 // requests for the list
	heard    uint64 // heartbeats
}

// registered is a server that has returned a challenge.
type registered struct {
	heartbeat string    // the last one
	place     int       // in the list, or why it is not there
	hid       time.Time // when it was last hidden
	shared    time.Time // when it was last put in the Store
}

// Why a server is not in the list.
const (
	hidden   = -1 // it has joined again
	withheld = -2 // Admit does not admit it
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
	m.packets = cmp.Or(m.Limits.MaxListPackets, defaults.MaxListPackets)
	m.servers.Max = cmp.Or(m.Limits.MaxServers, defaults.MaxServers)
	m.servers.MaxPerAddress = cmp.Or(m.Limits.MaxPerAddress, defaults.MaxPerAddress)
	m.servers.MaxPerPrefix = cmp.Or(m.Limits.MaxPerPrefix, defaults.MaxPerPrefix)
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
	// Only the first byte of other requests than heartbeats counts.
	switch gameagent.PeekToMaster(req).(type) {
	case gameagent.ListRequest:
		return m.sendList(from, now, dst)
	case gameagent.Heartbeat:
		return m.heartbeat(from, req, now, dst)
	case gameagent.Join:
		return m.join(from, true, now, dst)
	case gameagent.StateChanged:
		return m.join(from, false, now, dst)
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
	if !m.lists.AllowN(from.Addr(), n, now) {
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
	if m.isVerified(from, now) {
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

// Serve answers requests that arrive on pc until Shutdown or Close. It closes
// pc. Its error is never nil; it is [lobbywire.ErrClosed] after Shutdown and
// Close.
func (m *Master) Serve(pc net.PacketConn) error { return m.start().Serve(pc) }

// MasterStats count since the Master was made, datagrams those of Serve.
type MasterStats struct {
	lobbywire.PacketStats

	Lists      uint64 // requests answered with the list
	Challenges uint64 // requests answered with a challenge
	Heartbeats uint64 // of servers that are listed or withheld

	Listed   int    // servers now
	Withheld int    // servers now that Admit does not admit
	Refused  uint64 // servers not listed because there are too many, in total or of their address
	Limited  uint64 // requests not handled, or lists not sent, because of a limit on rates
}

// Stats returns a snapshot.
func (m *Master) Stats() MasterStats {
	s := MasterStats{
		PacketStats: m.start().Stats(),
		Challenges:  m.challenged.Load(),
		Refused:     m.refused.Load(),
		Limited:     m.limited.Load(),
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expireLocked(time.Now())
	s.Lists, s.Heartbeats = m.answered, m.heard
	s.Listed, s.Withheld = len(m.list.owners), m.withheld
	return s
}

// Shutdown ends every Serve once the requests it has read are answered. It stops
// watching the Store.
func (m *Master) Shutdown(ctx context.Context) error {
	m.start()
	m.unwatch()
	return m.loop.Shutdown(ctx)
}

// Close ends every Serve at once. It stops watching the Store.
func (m *Master) Close() error {
	m.start()
	m.unwatch()
	return m.loop.Close()
}
