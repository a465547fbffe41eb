package gamespy2net

import (
	"log/slog"
	"net/netip"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/refusals"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// A Master lists the servers of Games, which must be set. Fields must not change while it
// serves, except through SetGames and SetLimits.
//
// The Master answers a heartbeat from an unknown address, or with a new instance key, with
// a challenge. The answer proves that the server receives datagrams at its address and
// knows the secret key of its game. The Master then sends Registered, queries the server,
// and lists it once it answers. Serve repeats the challenge, and then the query, 1, 2 and 4
// s after the first one, until there is an answer.
//
// Heartbeats and keepalives keep a server listed. It is removed Expiry after the last one,
// or at once by a heartbeat with [qr2.StateShutdown]. All of these count only from the
// verified address with the same instance key. If a server with the same key and game
// registers from another port of the same address, as after a restart of its NAT, Serve
// queries the listed server, and removes it after 4 s of silence. Other datagrams are not
// answered. Admit may withhold servers from the list, which neither the servers nor clients
// can notice.
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
// bytes to an unverified source than it has received from it, including all repetitions and
// the headers of IPv4 and UDP. Heartbeats of listed servers have no rate limit, because
// they are not answered, except if they report a change. To keep another's server listed or
// to remove it, an attacker must know its instance key, which only that server and the
// Master know. With the key and an address behind the same NAT, it can make the Master
// query the server, which stays listed if it answers.
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

	// Public maps the address of a server to the one shown in lists, for example 127.0.0.1
	// to an address that clients can reach. It should return other addresses unchanged, and
	// must return the same result each time and different results for different servers; an
	// address that lists cannot contain is ignored. The Master itself sends to the address
	// that the server registered from. nil changes none.
	Public func(server netip.AddrPort) netip.AddrPort

	// Locate returns the country and the region of an address, or "" if they are unknown,
	// for the keys country and region in lists and filters. It is called when a server
	// registers, must be quick, and must not call the Master. If it is nil, country and
	// region are unknown.
	Locate func(addr netip.Addr) (country, region string)

	// Other handles datagrams of other protocols, of up to 2048 bytes, and reports whether
	// it knows them. The first GameSpy protocol uses the same port: set Other to RespondAt
	// of a gamespy1net.Master to serve both. The datagram arrived at the address local,
	// which is not valid if unknown. nil ignores such datagrams.
	Other func(local netip.Addr, from netip.AddrPort, req []byte, dst [][]byte) (answers [][]byte, ok bool)

	Logger *slog.Logger // nil is silent

	socket    udp.Server // of servers
	refusals  refusals.Reporter
	catalogue catalogue  // the servers that the others share
	registrar registrar  // answers servers
	lists     listServer // answers clients
}
