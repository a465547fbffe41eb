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
	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// Expiry is how long a server stays listed of which nothing is heard.
const Expiry = 300 * time.Second

// A Master lists servers for clients, in the native form. Its zero value is
// ready; fields must not change while it serves.
//
// A server is listed when it has sent back the challenge with which a join is
// answered, as is a heartbeat without a challenge or a change of state that
// comes from a server that is not listed. Heartbeats keep it listed, and Expiry
// after the last it is gone. A server that joins again is hidden until it has sent
// back a challenge again. What is not understood is not answered. Admit may
// withhold servers from the list, which neither they nor clients are told.
//
// # Memory
//
// A server takes memory only once it is listed: challenges are a keyed hash of its
// address and the time, valid for 10 to 20 seconds. Limits on entries and fixed
// tables for rates bound the rest. So the Master, unlike the original one,
// knows nothing of servers that have joined and not yet answered:
//
//   - A heartbeat or a change of state from one of them is answered with the
//     challenge again, where the original keeps silent; it counts changes only to
//     forget such servers at the seventh. A heartbeat with a wrong challenge is
//     ignored by both.
//   - Challenges are the same for a while, and never 0, which is what heartbeats
//     hold that answer none.
//   - The time of a server begins when it is listed, not when it joined.
//
// There are other differences on purpose. Time runs out by the clock, not when
// a client asks for the list; should more than a thousand servers go silent at
// once, each request removes a thousand. Servers that send from port 0 or 1 are ignored
// because there is no game port below, where the original lists port 0, and so
// are servers on IPv6, for which a list has no room. A datagram that begins as
// a heartbeat and is none is ignored if it is not from a listed server, and so
// are all that are longer than [gameagent.MaxHeartbeat]; the original cuts those.
// The original ends at an empty datagram.
//
// # Safety
//
// To list an address one must receive what is sent to it, or guess one of two
// numbers of 31 bits within the limits on requests. A challenge has 5 bytes,
// for a request of 1. Heartbeats of listed servers are not limited, for they
// get no answer: no flood of joins keeps a server from staying listed. Who joins in
// the name of a server hides it for as long as the server takes to answer the
// challenge, which it does at once, and not again within 10 seconds. Who sends
// heartbeats in its name has Admit judge by those until its own next one comes.
//
// Anybody can have the list sent to any address, for one byte. An answer is at
// most MaxListPackets datagrams, by default 16336 bytes: 16336 times the request
// or, counted with the headers of IPv4 and UDP, 579 times. So a source is sent
// Lists.PerSource datagrams of lists a second, after as many at once, whoever asks
// in its name, and all sources together are sent Lists.Global. Lists have limits of
// their own, so that those who ask for them do not keep servers from joining.
type Master struct {
	Limits MasterLimits

	// Admit tells whether a server that could be listed is. What it does not
	// admit is on no list and otherwise like a listed server: it is among
	// Servers, as Withheld, is shared, and counts for the limits. nil admits all.
	//
	// It is asked of every server when that comes or changes, here or in the
	// Store, maybe also when nothing has changed, and by Review. It is called by
	// one goroutine at a time, which holds up all others, so it must be quick,
	// and must not call the Master.
	Admit func(e Entry) bool

	// Store shares the list with other Masters. Without one it is in the memory
	// of this one alone.
	Store Store

	Logger *slog.Logger // nil is silent

	loop       udp.Server
	lists      udp.Limiter
	packets    int // MaxListPackets or its default
	refused    atomic.Uint64
	limited    atomic.Uint64
	challenged atomic.Uint64 // requests
	unwatch    func()        // of the Store

	mu       sync.Mutex
	servers  registry.Table[registered] // by the address that heartbeats come from
	roll     roll
	withheld int    // servers
	answered uint64 // requests for the list
	heard    uint64 // heartbeats
}

// registered is a server that has sent back a challenge.
type registered struct {
	heartbeat string    // the last
	place     int       // on the roll, or why it is not there
	hid       time.Time // when it was hidden last
	shared    time.Time // when the Store was told last
}

// Why a server is not on the roll.
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

// listable tells whether a server that sends from an address can be listed.
func listable(from netip.AddrPort) bool { return from.Addr().Is4() && from.Port() > 1 }

// sendList answers with the list.
func (m *Master) sendList(from netip.AddrPort, now time.Time, dst [][]byte) [][]byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expireLocked(now)
	n := min(len(m.roll.list.Packets()), m.packets)
	if !m.lists.AllowN(from.Addr(), n, now) {
		m.limited.Add(1)
		return dst
	}
	m.answered++
	return m.roll.appendNext(dst, n)
}

// join answers what a server sends that is not listed, or joins again.
func (m *Master) join(from netip.AddrPort, again bool, now time.Time, dst [][]byte) [][]byte {
	if !listable(from) {
		return dst
	}
	if m.isProven(from, now) {
		if !again || !m.allow(from, now) {
			return dst
		}
		m.hide(from, now)
	} else if !m.allow(from, now) {
		return dst
	}
	return m.challenge(from, now, dst)
}

// heartbeat keeps a server listed, or makes it so.
func (m *Master) heartbeat(from netip.AddrPort, req []byte, now time.Time, dst [][]byte) [][]byte {
	if !listable(from) {
		return dst
	}
	known, proven := m.refresh(from, req, now)
	// Whoever was listed is not held up by those who send in his name.
	if proven || !known && !m.allow(from, now) {
		return dst
	}
	h, err := gameagent.ParseHeartbeat(req)
	switch {
	case err != nil:
	case h.Challenge == 0 && (!known || m.allow(from, now)):
		return m.challenge(from, now, dst)
	case m.loop.Minter.ValidAs(number, from, h.Challenge, now):
		m.enlist(from, req, now)
	}
	return dst
}

// allow tells whether a request may be looked at.
func (m *Master) allow(from netip.AddrPort, now time.Time) bool {
	if m.loop.Limiter.Allow(from.Addr(), now) {
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

// number returns a token as the challenge that is sent.
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
	Heartbeats uint64 // taken of servers that are listed or withheld

	Listed   int    // servers now
	Withheld int    // servers now that are not listed as Admit does not admit them
	Refused  uint64 // servers not listed because there are too many, in all or of theirs
	Limited  uint64 // requests not looked at, or lists not sent, because of a limit
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
	s.Listed, s.Withheld = len(m.roll.owners), m.withheld
	return s
}

// Shutdown ends every Serve once the requests it has read are answered. The
// Master watches its Store no more.
func (m *Master) Shutdown(ctx context.Context) error {
	m.start()
	m.unwatch()
	return m.loop.Shutdown(ctx)
}

// Close ends every Serve at once. The Master watches its Store no more.
func (m *Master) Close() error {
	m.start()
	m.unwatch()
	return m.loop.Close()
}
