// Package gamespy2net provides a server and a client for GameSpy queries over UDP, a master
// with which game servers register, a registration that keeps a game server listed,
// and a client that fetches the lists of masters over TCP. Packages gamespy2, qr2 and
// sb2 are the codecs.
//
// # Flow
//
// The packages of the codecs show the messages.
//
//	Client to Server   a challenge request, then queries            gamespy2, UDP
//	Server to Master   heartbeats of a Registration, every minute   qr2, UDP
//	Master to Server   a challenge, and a query before it lists     qr2 and gamespy2, UDP
//	                   the server
//	Client to Master   a list request; Subscribe also requests      sb2, TCP
//	                   changes
//
// # Server
//
// A [Server] answers queries about one game server, on one socket, in all forms: the plain
// form ("v2"), the split form ("v3"), queries for listed keys (the basic query of
// browsers), challenges and echoes, and with [State].Minecraft the basic and full stat of
// Minecraft. The game calls Set when something changes, or from its function Refresh. Set
// encodes the answers to full queries once, so answering one only copies bytes. Serve runs
// on a socket of the caller. A game with a loop of its own calls Respond instead, which
// starts no goroutine.
//
// # Registration
//
// A master identifies a server by the source address of its datagrams, so a
// [Registration] sends from the query socket, and the datagrams of the master arrive
// among the queries. A Server sends unsolicited datagrams only to the masters of its
// Registrations.
//
// # Master
//
// A [Master] lists the servers of several games. The function Admit can withhold servers
// from the list, for example banned ones. A Store shares the list with other nodes.
// ServeLists sends lists to clients. A list is encoded once for all clients that request
// the same fields, and only servers that have changed are encoded again.
//
// Serve requests a receive buffer of 4 MiB, for many servers that send at the same moment,
// for example after a restart of a host. The system may grant less: on Linux, the sysctl
// net.core.rmem_max limits it.
//
// # Client
//
// A [Client] queries one server with Query and thousands with Scan. By default each attempt
// uses the next [Protocol], until the server answers. The full stat of a Minecraft server
// with many players or plugins is one datagram of many fragments, which some networks drop:
// with [ProtocolMinecraft], a Client then accepts the basic stat. A query is repeated after
// half of Timeout if the server has answered the challenge request. Packets may arrive in
// any order and more than once; if some are missing, or fewer players are listed than
// counted, the answer is Partial. The client ignores datagrams that come from other
// addresses, have another id, are malformed, or arrive late.
//
// List fetches the list of a master; Scan can query its addresses. Subscribe
// yields the servers of a list as they arrive, and then the changes that the
// master pushes.
//
// # Safety
//
// Answers can be hundreds of times as long as a query, and the sender of a query
// can forge its address. A client that repeats a challenge proves its address. The
// challenge is a keyed hash of the client's address, its port and the time, valid
// for 10 to 20 seconds, so the server needs no table. SECURITY.md lists the
// amplification of all answers.
//
// Battlefield 2 and several tools do not support challenges, so by default a Server also
// answers queries without one, with separate low rate limits, Limits.Unverified. A full
// answer of Battlefield 2 has 3.8 kB, so a server sends a victim at most 38 kB a second
// after the burst. When forged queries use up these limits, clients that repeat a challenge
// still get answers. See [ChallengeMode] for stricter servers. Nothing is logged per
// packet, and answers to queries are ignored.
//
// [Master] describes what an attacker must know to change its list. The clients of
// ServeLists cannot forge their addresses, but they may be many and slow. The connections
// and requests of each source are limited. A long filter counts as several requests, and at
// most half of the processors filter lists at a time. A client that does not read is
// disconnected; all subscribers share the last 4096 changes of a game. Clients can send
// messages only to servers in the list of their game. A message is repeated every second,
// at most 9 times, until the server acknowledges it; at most 16 messages to a server, and
// 1024 in total, are repeated at a time.
//
// # Limits
//
// [ServerLimits], [MasterLimits] and [Client] document the limits that can be changed. The
// other limits are:
//
//	a request              255     bytes; longer ones are dropped
//	a heartbeat            1400    bytes; longer ones are dropped
//	a request for a list   4096    bytes, with up to 20 fields, the maximum of
//	                               GameSpy's client, and a filter of up to 1024 bytes
//	a message to a server  512     bytes
//	a Listing              65 536  servers, and 32 MiB on the wire; a longer list is
//	                               cut and Partial
//	one server             64 KiB  in a list or a change; a larger one is an error
//
// # Memory
//
// A Server needs 944 KiB for its limits, for any number of sources; the encoded answers;
// and for each socket up to 64 requests and as many answers. Respond allocates nothing if
// dst has room. A Master needs 800 KiB for its limits, up to 13 MiB for servers that have
// not answered a challenge or a query, and about 2 KiB for each server, up to 5 KiB if its
// heartbeat is full of keys. For each game it caches one list, and up to 16 while the lists
// of all games hold no more than 16 MiB, with servers that have changed since; a list of 10
// 000 servers with five fields needs 1 MB. A list that is not used for 30 seconds is
// removed. A connection buffers 32 KiB of a list, or 4 KiB of changes. A Scan expects
// answers of up to 3276 servers at a time, or more if its Rate needs them, remembers up to
// 65 536 that may still answer, and reads up to 512 targets ahead. Discover yields up to 65
// 536 servers. A Client caches up to 64 Listings for ListEvery; one of 10 000 servers
// usually needs 4 MB. Subscribe needs up to 160 KiB, for lists of any length.
package gamespy2net
