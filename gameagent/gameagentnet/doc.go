// Package gameagentnet provides a server and a client for GameAgent queries over UDP, a
// registration that keeps a game server in the list of a master, and a master. Server,
// registration and master speak GameAgent, the native form, and the first protocol of
// GameSpy, the legacy form, at one port. Packages gameagent and gamespy1 are the codecs. The
// client of the legacy form is in package gamespy1net.
//
// # Flow
//
//	Server                Master                Client
//	  | Join                |                     |   from a Registration
//	  |-------------------->|                     |
//	  |           Challenge |                     |
//	  |<--------------------|                     |
//	  | Heartbeat           |                     |   repeated every 150 s; listed
//	  |-------------------->|                     |   until 300 s after the last
//	  |                     |         ListRequest |
//	  |                     |<--------------------|
//	  |                     | ServerList          |   in datagrams of 170 servers
//	  |                     |-------------------->|
//	  |                                StatusRequest, PlayersRequest ...
//	  |<------------------------------------------|
//	  | Status, Players ...                       |
//	  |------------------------------------------>|
//
// In the legacy form, which shipped games use, the Registration sends a [gamespy1.Heartbeat]
// every 150 s. The Master answers with a [gamespy1.Secure], which a Server with a LegacyKey
// answers with a [gamespy1.Validation], and sends a [gamespy1.Request] to the query port. It
// lists the server until 300 s after the last [gamespy1.Status]. Clients fetch the list over
// TCP: the messages are [gamespy1.Greeting], [gamespy1.ListRequest] and [gamespy1.ServerList].
//
// # Server
//
// A [Server] answers queries about one game server in both forms, on its query port,
// which is the port after the game port. The game calls Set when something changes, or in its function Refresh. Set
// encodes the answers once, so answering a query only copies bytes, however many players
// there are. Serve runs on a socket of the caller. A game with a loop of its own calls
// Respond instead, which starts no goroutine.
//
// A master identifies a server by the source address of its datagrams, so a
// [Registration] sends from the query socket: Run writes to the socket that Serve
// reads, and a game with a loop of its own sends the result of Tick. Challenges of the
// master arrive among the queries, and Respond answers them. Only masters of
// Registrations get datagrams that they have not requested.
//
// # Master
//
// A [Master] lists servers whose address is verified. Serve answers both forms on every
// socket; the usual ports are [gameagent.MasterPort] and [gamespy1.MasterPort].
// ServeLists sends the legacy list over TCP, usually at [gamespy1.ListPort]. By
// default the servers of Serious Sam are listed; add other games to Games. SyncFrom and
// SyncFor share servers with other legacy masters. Admit can withhold servers from the
// lists, for example banned ones.
//
// Both forms share one table, so a server that registers in both is listed once. The
// native list does not name games: it contains all native servers, and the legacy servers
// of games that have Native set. The legacy list of a game contains its legacy servers,
// and the native servers whose heartbeats name the game as their product, unless the
// game has Validate. The engine's servers answer queries of only one form, and the lists
// do not state which, so clients that get no answer should try the other form.
//
// Serve requests a receive buffer of 4 MiB, for many servers that send at one moment, for
// example after a restart of a host. The system may grant less: on Linux the sysctl
// net.core.rmem_max is the limit.
//
// # Client
//
// A [Client] queries one server with Status, Players, FullStatus or Ping, and thousands with
// Scan or FullScan. List fetches the list of a master, and [Listing.Targets] chooses which of
// its servers to scan; a [lobbywire.Browser] does all that. Each attempt uses another port.
// The client ignores datagrams that are malformed or late. If the operating system reports
// that the port is closed, the error is returned at once, except in a scan.
//
// The protocol has no request ids, so anybody who guesses the port of a query can forge
// its answer. A Scan uses 16 or more random ports, so a server that it queries can
// forge the answers of only a few others. The protocol has no broadcast, so servers on
// the local network are found only through a master.
//
// # Safety
//
// GameAgent cannot verify the address of a client, and a request can be a single
// byte. An answer is one datagram of up to 2048 bytes or, with very many players,
// up to 8 of them; SECURITY.md lists the amplification. So each source address,
// forged or not, has a byte-rate limit: Limits.PerSource times 512 bytes
// a second, with a burst of one second's worth. Limits.Global bounds the total.
// Raise the limits for a server that only its own network can reach.
//
// The Server never responds to an answer, so two servers cannot be made to answer
// each other. Challenges are answered only if they come from the master of a
// Registration, and at most 1000 a second. Nothing is logged per packet.
//
// A join with a forged address hides a listed server until it answers a challenge. An
// attacker who also sends the server more than 1000 challenges a second with the forged
// address of the master can keep it hidden for as long as this lasts, because the server
// does not answer more.
//
// A client accepts an answer only from the address that it has queried, and only at
// the local port that sent the query.
//
// # Limits
//
// [Server.Limits], [MasterLimits] and [Client] document the limits that can be changed, with
// their defaults. A source is an IPv4 address or an IPv6 /64, a prefix an IPv4 /24 or an
// IPv6 /48, with a burst of one second's worth. The others are:
//
//	a request      64 bytes  real ones have up to 11
//	checks         256       concurrent queries of servers that are not listed, and as
//	                         many of listed ones; 2 datagrams each, 1 s apart. A listed
//	                         server is queried at most every 20 s, or every 5 s after a
//	                         change
//	checks of servers
//	  that may have
//	  moved        256       concurrent; up to 3 datagrams each in 4 s, and each server at most
//	                         every 10 s
//	a legacy list  250 ms    between two encodings; each connection lasts up to 30 s
//	the list of another
//	  master       2 MiB     fetched every 150 s, within a minute. Up to 32 of its servers
//	                         are queried at a time, and of an address and a prefix only
//	                         as many as can be listed
//
// # Memory
//
// A Server needs 544 KiB for its limits, whatever the number of sources, the encoded
// answers, and for each socket up to 64 requests and as many answers. Respond
// allocates nothing if dst has room. A Master needs 1302 KiB for its limits, up to 640
// KiB for servers that it is going to query, and memory for a server only once the
// server is listed. A Client caches up to 64 lists. A Scan expects answers of up to
// 3276 servers at a time, or more if its Rate needs them, remembers up to 65 536 that may
// still answer, and reads up to 512 targets ahead.
package gameagentnet
