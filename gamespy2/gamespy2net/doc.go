// Package gamespy2net serves and sends GameSpy queries over UDP, has a master at which
// game servers register, and fetches lists of servers from masters over TCP. Packages
// gamespy2, qr2 and sb2 are the codecs.
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
//	  | Heartbeat                            |   from a Registration, again every
//	  |------------------------------------->|   minute; listed until 150 s after the last
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
//	  |                   changes            |   if Subscribe wants them
//	  |<-------------------------------------|
//
// # Server
//
// A [Server] answers queries about one game server, on one socket, in any form:
// the plain form ("v2"), the split form ("v3"), listed keys (the basic query of
// browsers), challenges and echoes, and with [State].Minecraft the two stats of
// Minecraft. The game calls Set when something changes. Set encodes all answers to
// full queries, so that a query costs a copy. Serve runs on a socket of the caller.
// A game with a loop of its own calls Respond instead and has no goroutine of this
// package.
//
// Responses are cut into packets where every known client reads them, or as
// [State].Cut says. A response in plain form is one packet with as many players as
// fit.
//
// # Registration
//
// A master knows a server by the address that its datagrams come from, so a
// [Registration] sends from the query socket: Run writes to the socket that Serve
// reads, and a game with a loop of its own sends the result of Tick. What the master
// sends arrives like queries, and Respond answers it. A game that answers queries
// without a Server passes it to Respond of the Registration. The package sends
// unsolicited datagrams only to the masters of Registrations.
//
// # Master
//
// A [Master] lists the servers of several games. A server proves its address and that
// it has the secret key of its game, and answers a query, before it is listed. Its
// Admit function withholds servers from the list, for example banned ones, and Review
// calls Admit again for all once its rules have changed. A Store shares the list with
// other nodes.
//
// ServeLists sends lists to clients over TCP: the servers that meet a filter, with the
// fields that the client requests, and then changes if it wants them. A list is encoded
// once for all clients that request the same fields, and only servers that have
// changed are encoded anew.
//
// # Client
//
// A [Client] queries one server with Query and thousands with Scan. By default each
// attempt uses another of the three ways to query. Packets may arrive in any order
// and more than once; if some are missing, the answer is Partial. The client
// ignores datagrams from other addresses, with another id, malformed ones and late
// ones. It does not read the format of Just Cause 2 Multiplayer.
//
// List fetches the list of a master. Its addresses are targets for Scan. Subscribe
// yields the servers of a list while they arrive, and then changes as the master
// pushes them. Both need the secret key of the game, which the caller must know.
//
// # Safety
//
// Answers can be hundreds of times as long as a query, and the sender of a query
// can forge its address. A client that repeats a challenge proves its address. The
// challenge is a keyed hash of the client's address, its port and the time, valid
// for 10 to 20 seconds; there is no table to fill. A challenge response has at most
// 16 bytes for a request of 7; SECURITY.md has the factors of all answers.
//
// Clients of Battlefield 2 and several tools know no challenges, so by default
// queries without one are answered too, at a rate limit of their own: 10 a second
// for each source, 20 for each prefix and 200 for all. A full answer of Battlefield
// 2 has 3.8 kB, so at most 38 kB a second go to a victim and 760 kB a second to
// all. When forged queries use up the limit, clients that repeat a challenge still
// get their answers. See [ChallengeMode] for stricter servers. Nothing is logged per packet,
// and no answer is answered.
//
// The clients of ServeLists cannot forge their addresses, but may be many and slow. Each
// source has limits on its connections and its requests. A filter has at most 1024
// bytes; a long one counts as several requests, and at most half of the processors
// filter lists at a time. A client
// that does not read is ended; nothing is kept for it but 32 KiB of a list, or 4 KiB of
// changes, because all subscribers share the last 4096 changes of a game. Messages of
// clients go only to servers in the list of their game.
//
// # Limits
//
// Those with a field can be changed:
//
//	Limits.PerSource   100      requests a second of an IPv4 address or an IPv6
//	                            /64, after as many at once: a scan takes two
//	Limits.PerPrefix   1600     requests a second of an IPv4 /24 or an IPv6 /48
//	Limits.Global      100 000  requests a second of all together; queries with a
//	                            valid challenge have limits of the same size apart
//	Limits.Unverified           queries a second without a valid challenge:
//	         PerSource 10       of one source, after a burst of 30
//	         PerPrefix 20       of an IPv4 /24 or an IPv6 /48, after a burst of 60
//	         Global    200      of all sources
//	a request          255      bytes; longer ones are dropped
//	Master.Limits.PerSource 100     heartbeats and the like a second
//	Master.Limits.PerPrefix 800     the same for an IPv4 /24 or an IPv6 /48
//	Master.Limits.Global    10 000  the same in total
//	  MaxServers            100 000 in total
//	  MaxPerAddress         64      servers of an IPv4 address
//	  MaxPerPrefix          256     servers of an IPv4 /24, as of one provider
//	  Conns.MaxConns        10 000  connections of clients, each with a goroutine
//	  Conns.MaxPerAddress   32      of an address, as of one household
//	  Conns.MaxPerPrefix    128     of an IPv4 /24 or an IPv6 /48
//	  Conns.First, Frame    10 s    for the first byte, and for a message
//	  Conns.Write           10 s    for each 64 KiB of a list
//	  Conns.Idle            2 min   without a message; subscribers answer a keepalive
//	                                every 40 s
//	  Lists.PerSource       10      requests for lists and the like a second
//	  Lists.PerPrefix       40      the same for an IPv4 /24 or an IPv6 /48
//	  Lists.Global          1000    the same in total
//	  MaxSubscribers        1000    connections that get changes
//	a request for a list 4096       bytes, with up to 20 fields, as GameSpy's client
//	                                requests at most
//	a message to a server 512       bytes
//	a heartbeat        1400     bytes; longer ones are dropped
//	Client.Timeout     1 s      for each answer
//	Client.Attempts    3        one for each way to query
//	Client.ListEvery   2 s      between two queries for the list of a master
//	a Listing          65 536   servers, and 32 MiB on the wire; a longer list is cut
//	                            and Partial
//	one server         64 KiB   in a list or a change; a larger one is an error
//
// # Memory
//
// A Server needs 816 KiB for its limits, whatever the number of sources, the
// encoded answers, and for each socket up to 64 requests and as many answers.
// Respond allocates nothing if dst has room. A Master needs 544 KiB for its limits, up
// to 12 MiB for heartbeats whose challenges were not answered, and about 2 KiB for each
// server, up to 12 KiB if its heartbeat has as many keys as fit. For lists it keeps up
// to 16 MiB for each game, 16 lists at most; one of 10 000 servers with five fields
// needs 1 MB. A Scan needs memory for the servers
// it waits for, up to 65 536, of which up to 256 are expected to answer soon; it
// does not hold the list of targets. Discover yields up to 65 536 servers. Up to 64
// Listings are kept for ListEvery; a usual one of 10 000 servers needs 4 MB.
// Subscribe needs up to 160 KiB, however long the list is.
package gamespy2net
