// Package gamespy1net provides a server and a client for queries in the first protocol of
// GameSpy over UDP, a registration that keeps a game server in the list of a master, and a
// master. The client also fetches the lists of masters over TCP. Package gamespy1 is the
// codec.
//
// # Flow
//
//	Server              Master, UDP          Master, TCP          Client
//	  | Heartbeat         |                    |                    |   from a Registration,
//	  |------------------>|                    |                    |   every 150 s
//	  |            Secure |                    |                    |
//	  |<------------------|                    |                    |
//	  | Validation        |                    |                    |   if there is a Key
//	  |------------------>|                    |                    |
//	  |           Request |                    |                    |   to the query port
//	  |<------------------|                    |                    |
//	  | Status            |                    |                    |   listed until 300 s
//	  |------------------>|                    |                    |   after the last one
//	  |                                        | Greeting           |
//	  |                                        |------------------->|
//	  |                                        |        ListRequest |
//	  |                                        |<-------------------|
//	  |                                        | ServerList         |   or an AddressList, as
//	  |                                        |------------------->|   text
//	  |                                                     Request |
//	  |<------------------------------------------------------------|
//	  | Status                                                      |   one or more packets
//	  |------------------------------------------------------------>|
//
// # Server
//
// A [Server] answers queries about one game server on its query port, the port after the
// game port. The game calls Set when something changes, or from its function Refresh. Set
// encodes the answers once, so answering a query only copies bytes, for any number of
// players. Serve runs on a socket of the caller. A game with a loop of its own calls
// Respond instead, which starts no goroutine.
//
// A master identifies a server by the source address of its datagrams, so a [Registration]
// sends from the query socket: Run writes to the socket that Serve reads, and a game with a
// loop of its own sends the result of Tick. Challenges of the master arrive among the
// queries, and Respond answers them. A Server sends unsolicited datagrams only to the
// masters of its Registrations.
//
// The games of Serious Sam speak GameAgent at the same port. To answer both, serve a
// gameagentnet.Server whose Other calls Respond of this Server; package gameagentnet has an
// example. The other order is wrong, because queries of GameSpy may be anywhere in a
// datagram. Each Server has limits of its own, so a source gets at most the sum.
//
// # Client
//
// A [Client] queries one server with Status, and thousands with Scan. List fetches the list
// of a master, and [Listing.Targets] chooses which of its servers to scan; a
// [lobbywire.Browser] does all that. Each attempt uses another port. The client ignores
// datagrams that are malformed or late. If the operating system reports that the port is
// closed, the error is returned at once, except in a scan.
//
// The protocol has no request ids, so a host that guesses the port of a query can forge its
// answer. A Scan uses 16 or more random ports, so a server that it queries can forge the
// answers of only a few others.
//
// # Master
//
// A [Master] lists servers that send a heartbeat every 150 s and answer a query. Serve
// receives the heartbeats, usually at [gamespy1.MasterPort], and ServeLists sends the lists
// over TCP, usually at [gamespy1.ListPort]. By default the servers of Serious Sam are
// listed; set Games for others. SyncFrom and SyncFor share servers with other masters.
// Admit can withhold servers from the lists, for example banned ones.
//
// Serious Sam's servers register by this protocol or by GameAgent, usually at
// [gameagent.MasterPort]. The Master speaks both on every socket, and keeps one list: a
// server that registers by both is listed once. The list of GameAgent does not name games:
// it contains all servers that have registered by GameAgent, and those of games with Native
// set. The list of a game contains the servers that have registered by GameSpy and, unless
// Validate is set, those whose heartbeats of GameAgent name the game as their product. A
// server answers queries of only one protocol, and the lists do not state which, so clients
// that get no answer should try the other.
//
// Serve requests a receive buffer of 4 MiB, for many servers that send at the same moment,
// for example after a restart of a host. The system may grant less: on Linux, the sysctl
// net.core.rmem_max limits it.
//
// # Safety
//
// The protocol cannot verify the address of a client. An answer is one datagram of up to
// 2048 bytes or, with very many players, up to 8 of them; SECURITY.md lists the
// amplification. Each source address, forged or not, therefore has a byte-rate limit:
// Limits.PerSource times 512 bytes a second, with a burst of one second's worth.
// Limits.Global bounds the total. Raise the limits for a server that only its own network
// can reach.
//
// The Server never responds to an answer, so two servers cannot be made to answer
// each other. Challenges are answered only if they come from the master of a
// Registration, and at most 1000 a second. Nothing is logged per packet.
//
// A client accepts an answer only from the address that it has queried, and only at the
// local port that sent the query. A list may name any address; Targets leaves out those
// that a list must not name.
//
// # Limits
//
// [Server.Limits], [MasterLimits] and [Client] document the limits that can be changed,
// with their defaults. A source is an IPv4 address or an IPv6 /64, a prefix an IPv4 /24 or
// an IPv6 /48. The other limits are those of package gamespy1, 10 times Client.Timeout for
// a list, and:
//
//	a request to a
//	  server       64 bytes  real ones have up to 11, or 50 with a challenge and a text
//	checks         256       concurrent queries of servers that are not listed, and as
//	                         many of listed ones; 2 datagrams each, 1 s apart. A listed
//	                         server is queried at most every 20 s, or every 5 s after a
//	                         change
//	checks of servers
//	  that may have
//	  moved        256       concurrent; up to 3 datagrams each in 4 s, and each server at most
//	                         every 10 s
//	the list of
//	  a game       250 ms    between two encodings; each connection lasts up to 30 s
//	the list of another
//	  master       2 MiB     fetched every 150 s, within a minute. Up to 32 of its servers
//	                         are queried at a time, and of an address and a prefix only
//	                         as many as can be listed
//
// # Memory
//
// A Server needs 544 KiB for its limits, for any number of sources; the encoded answers;
// and for each socket up to 64 requests and as many answers. Respond allocates nothing if
// dst has room.
//
// A Master needs 1302 KiB for its limits, up to 640 KiB for servers that it is going to
// query, and memory for a server only once it is listed.
//
// A Client caches up to 64 lists. A Scan expects answers of up to 3276 servers at a time, or
// more if its Rate needs them, remembers up to 65 536 that may still answer, and reads up to
// 512 targets ahead.
package gamespy1net
