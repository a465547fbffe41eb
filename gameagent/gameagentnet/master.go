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
// ListPerSource datagrams of lists a second, after as many at once, whoever asks
// in its name, and all sources together are sent ListGlobal. Lists have limits of
// their own, so that those who ask for them do not keep servers from joining.
type Master struct {
	// PerSource is how many requests of one source, an IPv4 address or an IPv6
	// /64, but for lists and heartbeats of listed servers, are looked at a
	// second, after as many at once. 0 means 100.
	PerSource int

	// Global is the same for all sources together. 0 means 10 000.
	Global int

	// ListPerSource is how many datagrams of lists one source is sent a second,
	// after as many at once. A longer list takes all that there are. 0 means 16.
	ListPerSource int

	// ListGlobal is the same for all sources together. 0 means 10 000, so 10 MB
	// a second.
	ListGlobal int

	// MaxListPackets is how many datagrams, of up to 170 servers each, answer
	// one request. Each answer continues where the one before ended if the list
	// is longer. 0 means 16, so 2720 servers.
	MaxListPackets int

	MaxServers    int // 0 means 100 000
	MaxPerAddress int // of an IPv4 address; 0 means 64
	MaxPerPrefix  int // of an IPv4 /24; 0 means 256

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

	once       sync.Once
	loop       udp.Server
	joins      udp.Limiter
	lists      udp.Limiter
	minter     udp.Minter
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

// Respond appends the datagrams that answer a request to dst, none if it
// deserves none. It uses the memory of slices between len(dst) and cap(dst), so
// a loop that passes dst[:0] of the last result allocates nothing; it must not
// need them any more.
//
// It is for masters with a loop of their own; Serve calls it too.
func (m *Master) Respond(from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
	m.once.Do(m.init)
	return m.respond(time.Now(), from, req, dst)
}

func (m *Master) respond(now time.Time, from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
	from = unmap(from)
	if len(req) == 0 || len(req) > gameagent.MaxHeartbeat {
		return dst
	}
	switch req[0] {
	case firstOfListRequest:
		return m.sendList(from, now, dst)
	case firstOfHeartbeat:
		return m.heartbeat(from, req, now, dst)
	case firstOfJoin:
		return m.join(from, true, now, dst)
	case firstOfStateChanged:
		return m.join(from, false, now, dst)
	}
	return dst
}

// Requests are told apart by their first bytes, and all but heartbeats have no
// others that count.
const (
	firstOfListRequest  = 'e'
	firstOfHeartbeat    = '0'
	firstOfJoin         = 'q'
	firstOfStateChanged = 'u'
)

// listable tells whether a server that sends from an address can be listed.
func listable(from netip.AddrPort) bool { return from.Addr().Is4() && from.Port() > 1 }

// sendList answers with the list.
func (m *Master) sendList(from netip.AddrPort, now time.Time, dst [][]byte) [][]byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expireLocked(now)
	n := min(len(m.roll.packets), m.packets)
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
	case m.minter.ValidAs(number, from, h.Challenge, now):
		m.enlist(from, req, now)
	}
	return dst
}

// allow tells whether a request may be looked at.
func (m *Master) allow(from netip.AddrPort, now time.Time) bool {
	if m.joins.Allow(from.Addr(), now) {
		return true
	}
	m.limited.Add(1)
	return false
}

func (m *Master) challenge(from netip.AddrPort, now time.Time, dst [][]byte) [][]byte {
	m.challenged.Add(1)
	dst = udp.Next(dst)
	dst[len(dst)-1], _ = gameagent.Challenge{Challenge: number(m.minter.Token(from, now))}.AppendBinary(dst[len(dst)-1])
	return dst
}

// number returns a token as the challenge that is sent.
func number(token uint32) int32 { return max(int32(token&math.MaxInt32), 1) }

// Defaults.
const (
	defaultMasterPerSource = 100
	defaultMasterGlobal    = 10_000
	defaultListPerSource   = 16
	defaultListGlobal      = 10_000
	defaultListPackets     = 16
	defaultMaxServers      = 100_000
	defaultMaxPerAddress   = 64
	defaultMaxPerPrefix    = 256
)

func (m *Master) init() {
	m.loop.Handler = m.respond
	m.loop.MaxRequest = gameagent.MaxHeartbeat
	m.loop.Logger = m.Logger
	m.minter.Slot = challengeSlot
	m.joins.PerSource = rate(m.PerSource, defaultMasterPerSource)
	m.joins.Global = rate(m.Global, defaultMasterGlobal)
	m.lists.PerSource = rate(m.ListPerSource, defaultListPerSource)
	m.lists.Global = rate(m.ListGlobal, defaultListGlobal)
	m.packets = cmp.Or(m.MaxListPackets, defaultListPackets)
	m.servers.Max = cmp.Or(m.MaxServers, defaultMaxServers)
	m.servers.MaxPerAddress = cmp.Or(m.MaxPerAddress, defaultMaxPerAddress)
	m.servers.MaxPerPrefix = cmp.Or(m.MaxPerPrefix, defaultMaxPerPrefix)
	m.roll.init()
	m.unwatch = func() {}
	if m.Store != nil {
		m.unwatch = m.Store.Watch(m.put, m.remove)
	}
}

// rate returns the rate of n, or by default.
func rate(n, byDefault int) udp.Rate {
	n = cmp.Or(n, byDefault)
	return udp.Rate{PerSecond: n, Burst: n}
}

// Serve answers requests that come in on pc until Shutdown or Close. It owns
// pc. Its error is never nil.
func (m *Master) Serve(pc net.PacketConn) error {
	m.once.Do(m.init)
	return m.loop.Serve(pc)
}

// MasterStats counts since the Master was made, datagrams those of Serve.
type MasterStats struct {
	Received  uint64 // requests
	Sent      uint64 // datagrams of answers
	Oversized uint64 // requests dropped because they are longer than any
	Failed    uint64 // datagrams of answers that the system refused to send

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
	m.once.Do(m.init)
	loop := m.loop.Stats()
	s := MasterStats{
		Received:   loop.Received,
		Sent:       loop.Sent,
		Oversized:  loop.Oversized,
		Failed:     loop.Failed,
		Challenges: m.challenged.Load(),
		Refused:    m.refused.Load(),
		Limited:    m.limited.Load(),
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expireLocked(time.Now())
	s.Lists, s.Heartbeats = m.answered, m.heard
	s.Listed, s.Withheld = len(m.roll.owners), m.withheld
	return s
}

// Shutdown ends every Serve after the answers to what it has read. The Master
// listens to its Store no more.
func (m *Master) Shutdown(ctx context.Context) error {
	m.once.Do(m.init)
	m.unwatch()
	return m.loop.Shutdown(ctx)
}

// Close ends every Serve at once. The Master listens to its Store no more.
func (m *Master) Close() error {
	m.once.Do(m.init)
	m.unwatch()
	return m.loop.Close()
}
