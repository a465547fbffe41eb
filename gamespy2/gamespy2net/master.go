package gamespy2net

import (
	"log/slog"
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

// Expiry is how long a server stays listed after its last heartbeat or keepalive.
// Servers send a heartbeat every minute, and keepalives between them.
const Expiry = 150 * time.Second

// A Master lists the servers of Games, which must be set. Fields must not change
// while it serves, but SetGames and SetLimits replace some.
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
	// same port: set Other to Respond of a gameagentnet.Master to serve both. nil
	// ignores such datagrams.
	Other func(from netip.AddrPort, req []byte, dst [][]byte) [][]byte

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

	mapped map[netip.AddrPort]netip.AddrPort // listed servers whose address Public changes, by the public one
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
	key     [4]byte // the instance key
	listing *listing
	place   int           // in the list of its game while it is listed
	proved  time.Duration // when its prefix was last added to the proven ones, by the Clock of the servers
}
