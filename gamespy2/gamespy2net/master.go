package gamespy2net

import (
	"log/slog"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/internal/gamelist"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/internal/refusals"
	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// Expiry is how long a server stays listed after its last heartbeat or keepalive.
// Servers send a heartbeat every minute, and keepalives between them.
const Expiry = 150 * time.Second

// A Master lists the servers of Games, which must be set. Fields must not change
// while it serves, but SetGames and SetLimits replace some.
//
// The Master answers a heartbeat from an unknown address, or with a new instance
// key, with a challenge. The answer proves that the server receives datagrams at its
// address and that it has the secret key of its game. The Master then sends
// Registered and queries the server, and lists it once it answers the query. Serve
// repeats the challenge, and then the query, 1, 2 and 4 s after the first one, until
// there is an answer.
//
// Heartbeats and keepalives keep a server listed. It is removed Expiry after the
// last one, or at once by a heartbeat with [qr2.StateShutdown]. All of these count
// only from the verified address with the same instance key. If a server with the same
// key and game registers from another port of the same address, as after a restart of
// its NAT, Serve queries the one that is listed, and removes it after 4 s of silence. Other
// datagrams are not answered. Admit may withhold servers from the list; neither the
// servers nor clients can notice it.
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
// bytes to an unverified source than it has received from it, also with all repetitions and
// the headers of IPv4 and UDP. Heartbeats of listed servers
// have no rate limit, because they are not answered, except those that report a change. To
// keep another's server listed or to remove it, an attacker must know its instance key,
// which only that server and the Master know. With the key and an address behind the same
// NAT, it can have the server queried, which stays listed if it answers.
type Master struct {
	// Games are the games whose servers are listed. Their names must be unique.
	Games []Game

	Limits MasterLimits

	// Unchecked lists servers without querying them first.
	Unchecked bool

	// Admit reports whether a server is listed, as package lobbywire describes; other
	// servers are withheld. nil admits all.
	Admit func(e Entry) bool

	// Refused is called for a server that is not listed, as package lobbywire describes.
	// nil does nothing.
	Refused func(r lobbywire.Refusal)

	// Store shares the list with other Masters. nil keeps it in the memory of this
	// Master only.
	Store Store

	// Public returns the address that lists have in place of one at which clients cannot reach
	// the server, such as 127.0.0.1, and other addresses as they are. It must return the same
	// address each time, and different ones for different servers; an address that lists cannot
	// have is ignored. The Master itself sends to the address that the server registered from.
	// nil changes none.
	Public func(server netip.AddrPort) netip.AddrPort

	// Locate returns the country and the region of an address, or "" if they are
	// unknown. They are the values of the keys country and region in lists and filters.
	// Locate is called when a server registers. It must be quick, and must not call the
	// Master. If it is nil, country and region are unknown for all addresses.
	Locate func(addr netip.Addr) (country, region string)

	// Other answers datagrams of other protocols. The first GameSpy protocol uses the
	// same port: set Other to RespondAt of a gameagentnet.Master to serve both. The
	// address local, at which the datagram arrived, is not valid if it is unknown. nil
	// ignores such datagrams.
	Other func(local netip.Addr, from netip.AddrPort, req []byte, dst [][]byte) [][]byte

	Logger *slog.Logger // nil is silent

	lists      masterLists
	loop       udp.Server
	refusals   refusals.Reporter
	games      atomic.Pointer[map[string]*gameTable] // by name
	challenged atomic.Uint64
	wrong      atomic.Uint64
	foreign    atomic.Uint64

	servers registry.Servers[netip.AddrPort, registered, Entry] // by the address that heartbeats come from
	pending pendingTable                                        // guarded by the lock of servers, also below
	heard   uint64                                              // heartbeats

	mapped    map[netip.AddrPort]netip.AddrPort // listed servers whose address Public changes, by the public one
	instances map[instance]uint16               // ports of listed servers
}

// MasterLimits bounds the resources of a [Master] that servers and clients may
// use. A zero field means the default.
type MasterLimits struct {
	// Rates limit the requests of servers, except heartbeats of listed servers without a
	// change and right answers to challenges. The defaults let as many servers register at
	// once as may be listed: four times MaxPerAddress a second for a source, at least 100,
	// four times MaxPerPrefix for a prefix, at least 800, and 10 000 in total. Listed
	// servers have separate limits of the same size.
	lobbywire.Rates

	// Conns limits the connections of clients. Each needs a goroutine. By
	// default First, Frame and Write are 10 s; Idle is 2 min, and subscribers answer a
	// keepalive every 40 s; MaxConns is 10 000, MaxPerAddress 32, such as a household,
	// MaxPerPrefix 128 and MaxBuffered 4 MiB.
	Conns lobbywire.ConnLimits

	// Lists limits the requests of clients, over all their connections: for lists, for
	// the rules of a server, and messages to servers. The defaults are 10 a second for a
	// source, 40 for a prefix and 1000 in total. A client with more requests is
	// disconnected.
	Lists lobbywire.Rates

	// Filters limits the work for the filters of clients, of their lists and of the changes
	// that they get, in steps a second of about a nanosecond each. The steps are counted as
	// they are done. The defaults are 20 million for a source, 50 million for a prefix and
	// 400 million in total. The burst is five times as much for a source, and twice as
	// much for a prefix. A list beyond them is refused, and a client that gets changes is
	// disconnected. So is a client whose filter needs more than 65 536 steps for a server.
	Filters lobbywire.Rates

	MaxSubscribers int // connections that get changes; further clients get only lists; by default 1000

	MaxServers    int // in total; by default 100 000
	MaxPerAddress int // servers of an IPv4 address; by default 64
	MaxPerPrefix  int // servers of an IPv4 /24, such as a hosting provider; by default 256
}

// masterLists is the part of a Master that serves lists.
type masterLists struct {
	loop    stream.Server
	limiter limit.Limiter
	filters limit.Limiter // of the steps of filters
	encoded atomic.Int64  // bytes of the cached lists of all games
	slots   chan struct{} // limits the lists that are filtered at the same time

	maxSubscribers atomic.Int64
	subscribers    atomic.Int64

	lists, refused, costly, pushed, rules, messages atomic.Uint64

	lastID  atomic.Uint32 // of a forwarded message
	unacked unacked
}

// registered is a server that has answered a challenge. It is hidden until it has answered
// a query.
type registered struct {
	game    *gameTable
	key     [4]byte    // the instance key
	local   netip.Addr // where its last datagram arrived; not valid if that is unknown
	listing *gamelist.Listing
	place   int           // in the list of its game while it is listed
	proved  time.Duration // when its prefix was last added to the proven ones, by the Clock of the servers
}

// game returns the game with a name, or nil.
func (m *Master) game(name string) *gameTable { return (*m.games.Load())[name] }

// locked are the servers of a Master while they are locked.
type locked = registry.Locked[netip.AddrPort, registered, Entry]
