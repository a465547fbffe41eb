// Package gamespy2net has a server and a client for GameSpy queries over UDP, a master
// with which game servers register, a registration that keeps a game server listed,
// and a client that fetches the lists of masters over TCP. Packages gamespy2, qr2 and
// sb2 are the codecs.
//
// # Flow
//
//	Client                                 Server
//	  | challenge                            |   optional, except with
//	  |------------------------------------->|   ChallengeRequired
//	  |                   ChallengeResponse  |
//	  |<-------------------------------------|
//	  | query                                |   with the challenge, if any
//	  |------------------------------------->|
//	  |                   Response           |   one packet, or several in the
//	  |<-------------------------------------|   split form
//
//	Server                                 Master
//	  | Heartbeat                            |   from a Registration, every minute;
//	  |------------------------------------->|   listed until 150 s after the last
//	  |                           Challenge  |
//	  |<-------------------------------------|
//	  | ChallengeAnswer                      |
//	  |------------------------------------->|
//	  |                  Registered, query   |
//	  |<-------------------------------------|
//	  | Response                             |
//	  |------------------------------------->|
//
//	Client                                 Master
//	  | ListRequest                          |   over TCP
//	  |------------------------------------->|
//	  |                   list               |   encrypted
//	  |<-------------------------------------|
//	  |                   changes            |   if Subscribe requests them
//	  |<-------------------------------------|
//
// # Server
//
// A [Server] answers queries about one game server, on one socket, in all forms:
// the plain form ("v2"), the split form ("v3"), queries for listed keys (the basic
// query of browsers), challenges and echoes, and with [State].Minecraft the basic
// and full stat of Minecraft. The game calls Set when something changes. Set
// encodes the answers to full queries once, so answering one only copies bytes.
// Serve runs on a socket of the caller. A game with a loop of its own calls Respond
// instead, which starts no goroutine.
//
// Split responses are cut into packets in a way that every known client reads;
// [State].Cut can choose another. A response in plain form is one packet with as
// many players as fit.
//
// # Registration
//
// A master identifies a server by the source address of its datagrams, so a
// [Registration] sends from the query socket: Run writes to the socket that Serve
// reads, and a game with a loop of its own sends the result of Tick. The datagrams
// of the master arrive among the queries, and Respond of the Server answers them. A
// game that answers queries without a Server passes them to Respond of the
// Registration. The package sends unsolicited datagrams only to the masters of
// Registrations.
//
// # Master
//
// A [Master] lists the servers of several games. Before a server is listed, it must
// prove its address, prove that it has the secret key of its game, and answer a
// query. The function Admit can withhold servers from the list, for example banned
// ones; Review calls it again for all servers after its rules have changed. A Store
// shares the list with other nodes.
//
// ServeLists sends lists to clients over TCP: the servers that meet a filter, with the
// fields that the client requests, followed by changes if the client requests them. A
// list is encoded once for all clients that request the same fields, and only servers
// that have changed are encoded again.
//
// # Client
//
// A [Client] queries one server with Query and thousands with Scan. By default each
// attempt uses another of the three forms of query. Packets may arrive in any order
// and more than once; if some are missing, the answer is Partial. The client
// ignores datagrams that come from other addresses, have another id, are malformed,
// or arrive late. It cannot read the format of Just Cause 2 Multiplayer.
//
// List fetches the list of a master; Scan can query its addresses. Subscribe
// yields the servers of a list as they arrive, and then the changes that the
// master pushes. Both need the secret key of the game from the caller.
//
// # Safety
//
// Answers can be hundreds of times as long as a query, and the sender of a query
// can forge its address. A client that repeats a challenge proves its address. The
// challenge is a keyed hash of the client's address, its port and the time, valid
// for 10 to 20 seconds, so the server needs no table. A challenge response has at
// most 16 bytes, the request 7; SECURITY.md has the amplification of all answers.
//
// Battlefield 2 and several tools do not support challenges, so by default queries without
// one are answered too, with separate low rate limits, Limits.Unverified. A full answer of
// Battlefield 2 has 3.8 kB, so a server sends a victim at most 38 kB a second. When forged
// queries use up these limits, clients that repeat a challenge still get answers. See
// [ChallengeMode] for stricter servers. Nothing is logged per packet, and answers are never
// answered.
//
// The clients of ServeLists cannot forge their addresses, but they may be many and slow.
// The connections and requests of each source are limited. A filter has at most 1024
// bytes. A long one counts as several requests, and at most half of the processors
// filter lists at a time. A client that does not read is disconnected. A connection
// buffers only 32 KiB of a list, or 4 KiB of changes: all subscribers share the last
// 4096 changes of a game. Clients can send messages only to servers in the list of their
// game.
//
// # Limits
//
// Those with a field can be changed:
//
//	Limits.PerSource   100      requests a second of an IPv4 address or an IPv6
//	                            /64, with a burst of 100: a query takes two
//	Limits.PerPrefix   1600     requests a second of an IPv4 /24 or an IPv6 /48
//	Limits.Global      100 000  requests a second in total; queries with a valid
//	                            challenge have separate limits of the same size
//	Limits.Unverified           queries a second without a valid challenge:
//	         PerSource 10       of one source, with a burst of 30
//	         PerPrefix 20       of an IPv4 /24 or an IPv6 /48, with a burst of 60
//	         Global    200      in total
//	a request          255      bytes; longer ones are dropped
//	Master.Limits.PerSource 100     datagrams a second, such as heartbeats
//	Master.Limits.PerPrefix 800     the same for an IPv4 /24 or an IPv6 /48
//	Master.Limits.Global    10 000  the same in total
//	  MaxServers            100 000 in total
//	  MaxPerAddress         64      servers of an IPv4 address
//	  MaxPerPrefix          256     servers of an IPv4 /24, such as one hosting provider
//	  Conns.MaxConns        10 000  connections of clients, each with a goroutine
//	  Conns.MaxPerAddress   32      of an address, such as one household
//	  Conns.MaxPerPrefix    128     of an IPv4 /24 or an IPv6 /48
//	  Conns.First, Frame    10 s    for the first byte, and for a message
//	  Conns.Write           10 s    for each 64 KiB of a list
//	  Conns.Idle            2 min   without a message; subscribers answer a keepalive
//	                                every 40 s
//	  Lists.PerSource       10      requests of clients a second, such as for lists
//	  Lists.PerPrefix       40      the same for an IPv4 /24 or an IPv6 /48
//	  Lists.Global          1000    the same in total
//	  MaxSubscribers        1000    connections that get pushed changes
//	a request for a list 4096       bytes, with up to 20 fields, the maximum of
//	                                GameSpy's client
//	a message to a server 512       bytes
//	a heartbeat        1400     bytes; longer ones are dropped
//	Client.Timeout     1 s      for each answer
//	Client.Attempts    3        one for each form of query
//	Client.ListEvery   2 s      between two requests to a master for lists
//	a Listing          65 536   servers, and 32 MiB on the wire; a longer list is cut
//	                            and Partial
//	one server         64 KiB   in a list or a change; a larger one is an error
//
// # Memory
//
// A Server needs 816 KiB for its limits, whatever the number of sources, the encoded
// answers, and for each socket up to 64 requests and as many answers. Respond allocates
// nothing if dst has room. A Master needs 544 KiB for its limits, up to 12 MiB for
// heartbeats whose challenges were not answered, and about 2 KiB for each server, up to
// 12 KiB if its heartbeat has as many keys as fit. For each game it caches up to 16
// lists with up to 16 MiB in total; a list of 10 000 servers with five fields needs 1
// MB. A Scan needs memory for the servers it waits for, up to 65 536, of which up to
// 256 are expected to answer soon; it does not hold the list of targets. Discover
// yields up to 65 536 servers. A Client caches up to 64 Listings for ListEvery; one of
// 10 000 servers usually needs 4 MB. Subscribe needs up to 160 KiB, however long the
// list is.
package gamespy2net
