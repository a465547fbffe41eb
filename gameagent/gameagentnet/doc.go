// Package gameagentnet provides a server and a client for GameAgent queries over UDP, and a
// registration that keeps a game server in the list of a master. Package gameagent is the
// codec. The master is in package gamespy1net, with a server, a registration and a client for
// the first protocol of GameSpy, which Serious Sam also speaks.
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
// A game that also speaks the first GameSpy protocol, as Serious Sam does, needs a
// gamespy1net.Server, too. To answer both at one port, let Other call Respond of that
// Server, and give its Registration the same Conn. Each Server has limits of its own, so a
// source gets at most the sum.
//
// # Master
//
// The master is a gamespy1net.Master, which speaks GameAgent, too: Serious Sam uses both
// protocols, and both share one list.
//
// # Client
//
// A [Client] queries one server with Status, Players, FullStatus or Ping, and thousands with
// Scan or FullScan. List fetches the list of a master, and [Listing.Targets] chooses which of
// its servers to scan; a [lobbywire.Browser] does all that. Each attempt uses another port.
// The client ignores datagrams that are malformed or late. If the operating system reports
// that the port is closed, the error is returned at once, except in a scan.
//
// The protocol has no request ids, so a host that guesses the port of a query can forge its
// answer. A Scan uses 16 or more random ports, so a server that it queries can forge the
// answers of only a few others. The protocol has no broadcast: only a master can find
// servers on the local network.
//
// # Safety
//
// GameAgent cannot verify the address of a client, and a request can be a single byte. An
// answer is one datagram of up to 2048 bytes or, with very many players, up to 8 of them;
// SECURITY.md lists the amplification. Each source address, forged or not, therefore has a
// byte-rate limit: Limits.PerSource times 512 bytes a second, with a burst of one second's
// worth. Limits.Global bounds the total. Raise the limits for a server that only its own
// network can reach.
//
// The Server never responds to an answer, so two servers cannot be made to answer
// each other. Challenges are answered only if they come from the master of a
// Registration, and at most 1000 a second. Nothing is logged per packet.
//
// A join with a forged address hides a listed server until it answers a challenge. An
// attacker who also sends the server more than 1000 challenges a second from the forged
// address of the master can keep it hidden meanwhile, because the server answers no more.
//
// A client accepts an answer only from the address that it has queried, and only at
// the local port that sent the query.
//
// # Limits
//
// [Server.Limits] and [Client] document the limits that can be changed, with their
// defaults. A source is an IPv4 address or an IPv6 /64, a prefix an IPv4 /24 or an IPv6 /48,
// with a burst of one second's worth. A request has at most 64 bytes; real ones have up to 11.
//
// # Memory
//
// A Server needs 544 KiB for its limits, for any number of sources; the encoded answers;
// and for each socket up to 64 requests and as many answers. Respond allocates nothing if
// dst has room. A Client caches up to 64 lists. A Scan expects answers of up to 3276
// servers at a time, or more if its Rate needs them, remembers up to 65 536 that may still
// answer, and reads up to 512 targets ahead.
package gameagentnet
