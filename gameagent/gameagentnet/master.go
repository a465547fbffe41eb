package gameagentnet

import (
	"context"
	"log/slog"
	"net"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/internal/refusals"
	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// Expiry is how long a server stays listed after its last heartbeat.
const Expiry = 300 * time.Second

// A Master lists servers for clients, in both forms. Its zero value is ready; fields
// must not change while it serves, but SetGames, SetSync and SetLimits replace some.
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
// heartbeat announces, and lists the server if it answers. If that port is silent, it
// queries the source of the heartbeat, because a NAT may have changed the port. If the
// Master has the key of the game, it also sends a challenge to the source. A server that
// returns the challenge is queried before others. If the game has Validate, only such
// servers are listed, and the query has the challenge too. The Master also queries listed
// servers after a heartbeat, so forged heartbeats keep nothing listed. After a change of
// state it does so two seconds later, or five seconds after the query before, and removes
// a server that has stopped.
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
	// names in heartbeats, in any case. nil means those of [SeriousSam]; an empty map lists none.
	// SyncFrom and SyncFor use the Key of the game [gameagent.LegacyMasterGame].
	Games map[string]LegacyGame

	// SyncFrom are the TCP addresses, host:port, of legacy masters whose servers
	// are fetched. Each server is listed once it has answered a query.
	SyncFrom []string

	// SyncFor are the addresses of legacy masters that may fetch the servers that
	// register here.
	SyncFor []netip.Prefix

	// Dial opens sockets, for the network "udp" to query servers in the legacy form
	// and for "tcp" to fetch lists. nil means sockets of the operating system; the query
	// then leaves from the address at which the heartbeat of the server arrived.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	// Admit reports whether a server is listed, as package lobbywire describes; other
	// servers are withheld. nil admits all.
	Admit func(e Entry) bool

	// Refused is called for a server that is not listed, as package lobbywire describes.
	// nil does nothing.
	Refused func(r lobbywire.Refusal)

	// Public returns the address that lists have in place of one at which clients cannot reach
	// the server, such as 127.0.0.1, and other addresses as they are: in the native list that of
	// the game, in the legacy list that of the query port. It must return the same address each
	// time; an address that lists cannot have is ignored. The Master itself sends to the address
	// that the server registered from. nil changes none.
	Public func(server netip.AddrPort) netip.AddrPort

	// Store shares the list with other Masters. nil keeps it in the memory of this
	// Master only.
	Store Store

	Logger *slog.Logger // nil is silent

	loop     udp.Server
	conns    stream.Server
	refusals refusals.Reporter
	tasks    sharedTask
	games    atomic.Pointer[map[string]*game] // by name
	syncing  syncing
	lanes    lanes
	waiting  waitList
	id       string // random, in requests to other masters
	lists    limit.Limiter
	packets  atomic.Int64 // MaxListPackets or its default

	// Counts as in MasterStats.
	challenged, foreign, wrong, checked, unanswered, sentLists, notSynced atomic.Uint64

	// by query address, which is also the source of native heartbeats
	servers  registry.Servers[netip.AddrPort, registered, Entry]
	list     answerList // guarded by the lock of servers, also below
	answered uint64     // requests for the native list
	heard    uint64     // heartbeats
}

// MasterLimits bounds the resources of a [Master] that servers and clients may
// use. A zero field means the default.
type MasterLimits struct {
	// Rates limit requests, except requests for lists, heartbeats of listed servers and
	// right answers to challenges. The defaults let as many servers register at once as may
	// be listed: four times MaxPerAddress a second for a source, at least 100, four times
	// MaxPerPrefix for a prefix, at least 800, and 10 000 in total. Listed servers have
	// separate limits of the same size.
	lobbywire.Rates

	// Lists limits the datagrams of lists. An answer with more datagrams than a
	// source may get uses up its whole limit. The defaults are 16 a second for a
	// source, 400 for a prefix and 10 000 in total, which is 10 MB.
	Lists lobbywire.Rates

	// MaxListPackets is the number of datagrams in an answer, with up to 170
	// servers each; by default 16. If the list is longer, each answer continues
	// where the last one ended.
	MaxListPackets int

	// Conns limits the connections of ServeLists. By default MaxConns is 4096,
	// MaxPerAddress 32 and MaxPerPrefix 256; First, Frame and Write are 10 s. A
	// connection lasts at most 30 s.
	Conns lobbywire.ConnLimits

	MaxServers    int // in total; by default 100 000
	MaxPerAddress int // servers of an IPv4 address; by default 64
	MaxPerPrefix  int // servers of an IPv4 /24; by default 256
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
	named     uint16 // the query port in its heartbeats if that is silent and they come from another one, or 0
	synced    bool   // known only from another master

	// By the Clock of the servers, 0 if never.
	hid     time.Duration // when it was last hidden
	checked time.Duration // when it was last queried in the legacy form, or is queried next
	proved  time.Duration // when its prefix was last added to the proven ones
}

const nowhere = -1

// Times of a Master.
const (
	challengeSlot = 10 * time.Second
	hideEvery     = 10 * time.Second // minimum
	proveEvery    = time.Minute      // more often would slow down heartbeats
)

// refuse reports a server that is not listed.
func (m *Master) refuse(from netip.AddrPort, why lobbywire.Reason, game string) {
	m.refusals.Report(lobbywire.Refusal{From: from, Reason: why, Game: game})
}

// listable reports whether a server that sends from an address can be listed.
func listable(from netip.AddrPort) bool { return from.Addr().Is4() && from.Port() > 1 }

// public returns the address of a server in lists.
func (m *Master) public(at netip.AddrPort) netip.AddrPort {
	return registry.Public(m.Public, at, listable)
}

// game returns the game with a name, or nil.
func (m *Master) game(name string) *game { return (*m.games.Load())[string(canonical(name))] }

// locked are the servers of a Master while they are locked.
type locked = registry.Locked[netip.AddrPort, registered, Entry]
