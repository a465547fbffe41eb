package gamespy1net

import (
	"context"
	"log/slog"
	"net"
	"net/netip"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/internal/serverlist"
	"github.com/lobbywire/lobbywire/internal/refusals"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// A Master lists servers for clients. It speaks the first protocol of GameSpy and, at the
// same port, GameAgent: Serious Sam uses both, and a server that registers by both is
// listed once. The zero value is ready; fields must not change while it serves, except
// through SetGames, SetSync and SetLimits.
//
// # GameSpy
//
// After a heartbeat of a game in Games, the Master queries the query port that the
// heartbeat announces, and lists the server if it answers. If that port is silent, it
// queries the source of the heartbeat, because a NAT may have changed the port. If the
// Master knows the key of the game, it also sends a challenge to the source. A server that
// answers the challenge is queried before others. If Validate of the game is set, only such
// servers are listed, and the query contains the challenge, too. The Master also queries
// listed servers after a heartbeat, so forged heartbeats keep nothing listed. After a
// change of state, it does so two seconds later, or five seconds after the previous query,
// and removes a server that has stopped.
//
// # GameAgent
//
// The Master answers a join, a heartbeat without a challenge, and a state change
// from an unlisted server with a challenge. A server that returns it is listed.
// Heartbeats keep a server listed; it is removed Expiry after the last one. A
// server that joins again is hidden until it returns a challenge again. Unknown
// datagrams are not answered.
//
// # Servers that move
//
// A server that returns at another port of its address is listed there at once. Its old
// entry would stay until Expiry, so the Master checks up to four listed servers of the
// address that may be the same: servers of GameAgent with the same product, version, game
// type and maximum number of players, by challenges, and servers of GameSpy with the same
// name, by queries. It removes those that are silent for a few seconds.
//
// # Memory
//
// A server needs memory only once it is listed: a challenge is a keyed hash of its
// address and the time, valid for 10 to 20 seconds. Limits on entries and fixed
// tables for rates bound the rest.
//
// # Differences from the original master of GameAgent
//
//   - The Master answers each heartbeat and state change of a server that has not
//     returned a challenge with a challenge. The original does not answer them, and
//     forgets the server after its seventh state change. Both ignore a heartbeat with a
//     wrong challenge.
//   - Challenges stay the same for a while, and are never 0. Expiry counts from when a
//     server is listed, not from when it joins.
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
// of two 31-bit numbers within the rate limits. For a game without Validate the
// attacker must guess one of about 28 000 ports instead, because Serious Sam does not return
// challenges of GameSpy. Heartbeats of listed servers have no rate limit, because they are not
// answered, so a flood of joins does not remove listed servers. A forged join hides a server
// until it returns the challenge, which servers do at once; it cannot be hidden again
// within 10 seconds. After a forged heartbeat, Admit sees forged content until the next
// heartbeat of the server.
//
// A request of one byte with a forged address sends the list to that address. An answer has
// at most MaxListPackets datagrams; SECURITY.md lists the amplification. Limits.Lists
// bounds the datagrams a second for each source, forged or not, and in total. Requests for
// lists do not prevent servers from joining.
type Master struct {
	Limits MasterLimits

	// Games are the games whose servers register by GameSpy and have a list, by their names
	// in heartbeats, in any case. nil means [SeriousSam]; an empty map lists no games.
	// SyncFrom and SyncFor use the Key of the game [gamespy1.MasterGame].
	Games map[string]Game

	// SyncFrom are the TCP addresses, host:port, of masters of GameSpy whose servers
	// are fetched. Each server is listed once it has answered a query.
	SyncFrom []string

	// SyncFor are the addresses of masters that may fetch the servers that
	// register here.
	SyncFor []netip.Prefix

	// Dial opens sockets, for the network "udp" to query servers
	// and for "tcp" to fetch lists. nil means sockets of the operating system; the query
	// then leaves from the address at which the heartbeat of the server arrived.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	// Admit reports whether a server is listed, as package lobbywire describes; other
	// servers are withheld. nil admits all.
	Admit func(e Entry) bool

	// Refused is called for a server that is not listed, as package lobbywire describes.
	// nil does nothing.
	Refused func(r lobbywire.Refusal)

	// Public maps the address of a server to the one shown in lists, for example 127.0.0.1
	// to an address that clients can reach: the address of the game in the list of
	// GameAgent, and of the query port in the list of a game. It should return other
	// addresses unchanged, and must return the same result each time; an address that lists
	// cannot contain is ignored. The Master itself sends to the address that the server
	// registered from. nil changes none.
	Public func(server netip.AddrPort) netip.AddrPort

	// Store shares the list with other Masters. nil keeps it in the memory of this
	// Master only.
	Store Store

	// Other handles datagrams of other protocols, of up to 2048 bytes, and reports whether
	// it knows them. The datagram arrived at the address local, which is not valid if
	// unknown. nil ignores such datagrams.
	Other func(local netip.Addr, from netip.AddrPort, req []byte, dst [][]byte) (answers [][]byte, ok bool)

	Logger *slog.Logger // nil is silent

	socket    udp.Server // of servers and the list of GameAgent
	refusals  refusals.Reporter
	tasks     sharedTask         // checks and syncs while the Master serves
	list      serverlist.List    // the servers that the others share
	registrar registrar          // answers servers
	checker   serverlist.Checker // queries servers of games
	syncer    syncer             // fetches the servers of other masters
	lists     listServer         // answers clients
}
