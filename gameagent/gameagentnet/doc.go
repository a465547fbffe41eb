// Package gameagentnet serves and sends queries of GameAgent over UDP, keeps
// servers in the lists of masters, and has a master for both forms of the protocol.
// Package gameagent is the codec.
//
// # Flow
//
//	Server                Master                Client
//	  | Join                |                     |   from a Registration
//	  |-------------------->|                     |
//	  |           Challenge |                     |
//	  |<--------------------|                     |
//	  | Heartbeat           |                     |   again every 150 s; listed
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
// In the legacy form, which shipped games speak:
//
//	Server                Master                Client
//	  | LegacyHeartbeat     |                     |   from a Registration, again
//	  |-------------------->|                     |   every 150 s
//	  |        LegacySecure |                     |
//	  |<--------------------|                     |
//	  | LegacyValidation    |                     |   if the Server has a LegacyKey
//	  |-------------------->|                     |
//	  |       LegacyRequest |                     |   to the query port
//	  |<--------------------|                     |
//	  | LegacyStatus        |                     |   listed until 300 s after the
//	  |-------------------->|                     |   last
//	  |                     | LegacyGreeting      |   over TCP
//	  |                     |-------------------->|
//	  |                     |   LegacyListRequest |
//	  |                     |<--------------------|
//	  |                     | LegacyServerList    |
//	  |                     |-------------------->|
//
// # Server
//
// A [Server] answers queries about one game server, in the native form and in the
// legacy form, on its query port, which is the one above the port of the game. The
// game calls Set when something changes. Set encodes the answers once, so answering
// a query only copies bytes, however many players there are. Serve runs on a socket
// of the caller. A game with a loop of its own calls Respond instead, which starts
// no goroutine.
//
// A master knows a server by the address that its datagrams come from, so a
// [Registration] sends from the query socket: Run writes to the socket that Serve
// reads, and a game with a loop of its own sends the result of Tick. Challenges
// arrive like requests, and Respond answers them. The package sends unsolicited
// datagrams only to the masters of Registrations.
//
// # Master
//
// A [Master] lists the servers that join it and have a verified address, for
// clients that request the list. The documentation of [Master] lists the
// differences from the original master of the games. Its Admit function withholds
// servers from the list, for example banned ones, and Review calls Admit again for
// all once its rules have changed.
//
// Serve answers both forms on every socket; the usual ports are
// [gameagent.MasterPort] and [gameagent.LegacyMasterPort]. ServeLists sends the legacy
// list over TCP, usually at [gameagent.LegacyListPort]. Servers of Serious Sam are
// listed without any setting, those of other games if Games has them. SyncFrom and
// SyncFor share servers with other legacy masters.
//
// Both forms have one table, so a server that registers in both is listed once. The
// native list names no games: it has the native servers, and the legacy ones of games
// with Native. The legacy list of a game has its legacy servers, and the native ones
// with this game as the product of their heartbeats. A server of the engine answers
// queries of only one form, which neither list tells, so clients that get no answer
// should try the other.
//
// # Client
//
// A [Client] queries one server with Status, Players, Ping or LegacyStatus, and
// thousands with Scan. List fetches the list of a native master, LegacyList that of
// a legacy master over TCP, and Browse fetches a list and scans it. Each attempt
// uses another port. The client ignores datagrams from other addresses, malformed
// ones and late ones. If the system reports that the port is closed, the error is
// returned at once, except in a scan. ListEvery limits how often a program fetches
// a list, with back-off after failures.
//
// The protocol has no identifiers, so whoever guesses the port of a query can forge its
// answer in the name of the server. A Scan spreads over 16 or more random ports, so a
// server that it queries can forge few answers of others.
//
// The protocol has no broadcast, so servers on the local network are found only
// through a master.
//
// # Safety
//
// GameAgent cannot verify the address of a client, and a request can be a single
// byte. An answer is one datagram of up to 2048 bytes or, with very many players,
// up to 8 of them; SECURITY.md has the factors. So each source address, forged or
// not, has a byte-rate limit: Limits.PerSource times [AnswerUnit] bytes a second,
// with a burst of one second's worth. Limits.Global bounds the total. The limits
// need a fixed amount of memory. Raise them for a server that only its own network
// can reach.
//
// The Server never responds to an answer, so two servers cannot be made to answer
// each other. A challenge is answered only if it comes from the master of a
// Registration, and up to 1000 a second. Nothing is logged per packet.
//
// A join with the forged address of a listed server makes the Master hide the server
// until that answers a challenge, which takes one round trip. Whoever also sends the
// server more than 1000 challenges a second with the forged address of the master can
// keep it hidden for as long as that lasts, since the server answers no more of them.
//
// A client accepts an answer only from the address that it has queried, and only at
// the local port that sent the query. The protocol has no request ids.
//
// # Limits
//
// Those with a field can be changed. A source is an IPv4 address or an IPv6 /64, with
// a burst of one second's worth:
//
//	Server.Limits.PerSource 32       answers of 512 bytes a second, 16 KiB: as much
//	                                 can be sent to a forged address
//	Server.Limits.PerPrefix 512      the same for an IPv4 /24 or an IPv6 /48
//	Server.Limits.Global    10 000   the same in total, 5 MB a second
//	a request               64 bytes real ones have up to 11
//	Master.Limits.PerSource 100      joins and the like a second
//	Master.Limits.PerPrefix 800      the same for an IPv4 /24 or an IPv6 /48
//	Master.Limits.Global    10 000   the same in total
//	  Lists.PerSource       16       datagrams of lists a second: one whole list
//	  Lists.Global          10 000   the same in total, 10 MB a second
//	  MaxListPackets        16       so 2720 servers; the next answer continues
//	  Conns                 4096     connections for the legacy list; 32 of an
//	                                 address and 256 of a prefix, each for 30 s.
//	                                 A list is encoded every 250 ms at most
//	  MaxServers            100 000  in total
//	  MaxPerAddress         64       servers of an IPv4 address
//	  MaxPerPrefix          256      servers of an IPv4 /24, as of one provider
//	checks                  256      queries of servers at once that are not listed,
//	                                 and as many of those that are; 2 datagrams
//	                                 each, 1 s apart. A listed server is queried
//	                                 every 20 s at most, or 5 s after a change
//	a list of another
//	  master                2 MiB    every 150 s, within a minute
//	Client.Timeout          1 s      for each answer
//	Client.Attempts         3        so a silent server is known after 3 s. It does
//	                                 not hold up others
//	Client.Silence          250 ms   ends an answer without an end mark
//	Client.ListEvery        2 s      between two requests for one list; up to 75 s
//	                                 after failures
//
// # Memory
//
// A Server needs 544 KiB for its limits, whatever the number of sources, the encoded
// answers, and for each socket up to 64 requests and as many answers. Respond
// allocates nothing if dst has room. A Master needs 816 KiB for its limits, up to 640
// KiB for servers that are to be queried, and memory for a server only once that is
// listed. A Client remembers 64 lists. A Scan
// needs memory for the servers it waits for, up to 65 536, of which up to 256 are
// expected to answer soon; it does not hold the list of targets.
package gameagentnet
