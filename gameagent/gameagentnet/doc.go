// Package gameagentnet serves and sends queries of GameAgent over UDP, keeps
// servers in the lists of masters, and is such a master or asks one. Package
// gameagent is the codec.
//
// # Flow
//
//	Server                Master                Client
//	  | Join                |                     |   a Registration of the Server
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
// # Server
//
// A [Server] answers about one game server, in the native form and in the legacy
// form, on its query port, which is the one above the game's. The game calls Set
// when something changes; a query then costs a copy, whatever the number of
// players. Serve runs on a socket of the caller's; a game with a loop of its own
// calls Respond instead and has no goroutine of this package.
//
// A master knows a server by the address that its datagrams come from, so a
// [Registration] sends from the query socket: Run writes to the socket that
// Serve reads, and a game with a loop of its own sends what Tick tells it to.
// Challenges come in as requests do, and are answered by Respond. Nothing goes
// out unasked for except to the masters of Registrations.
//
// # Master
//
// A [Master] lists the servers that join it and show that they receive what is
// sent to them, for clients that ask for the list. Its documentation tells where
// it differs from the original one. Its Admit withholds servers from the list, as
// those that are banned, and Review looks at all again once the rules have
// changed: until then they are as well known to the Master as the others.
//
// # Client
//
// A [Client] asks one server with Status, Players, Ping or LegacyStatus,
// thousands with Scan, a native master for its list with List, and all servers
// on that with Browse. Each attempt is from a port of its own. Answers from
// elsewhere, malformed ones and late ones are passed over. The port that the
// system knows to be closed is an error at once, except in a scan. However often
// a program asks for lists, a master is asked for one every now and then, and
// more seldom while it fails.
//
// Servers on the local network are not looked for: the protocol knows no
// broadcast, and the list of a master is the only way to learn of a server.
// LegacyList gets that of a legacy master, over TCP.
//
// # Safety
//
// The protocol lets anybody have an answer of a server for one byte, with no
// proof that he is where the byte seems to come from. An answer is one datagram
// of up to 2048 bytes and, with very many players, up to 8 of them: 16384 times
// the request or, counted with the headers of IPv4 and UDP, 573 times. It is 5
// times for a usual status, and about 35 times for 16 players. So a source is
// sent so much a second and no more, whoever asks in its name: PerSource times
// [AnswerUnit] bytes, after as many at once. All sources together are sent
// Global times as much. This takes fixed memory. Raise the limits for a server
// that only its own network reaches.
//
// What is itself an answer is not answered, so that two servers cannot be set on
// each other. A challenge is answered only if it comes from a master that was
// asked for one; in its name, too, no more is sent than the limits allow. Nothing
// is logged per packet.
//
// An answer is believed if it comes from the address and to the port of the
// question; there is nothing else in the protocol to know it by.
//
// # Limits
//
// All can be changed but those without a field. Those of a source are of an IPv4
// address or an IPv6 /64, after as many at once:
//
//	Server.Limits.PerSource 32       answers of 512 bytes a second, 16 KiB: so
//	                                 much can be turned against somebody
//	Server.Limits.Global    10 000   the same for all together, 5 MB a second
//	a request               64 bytes real ones have 11 at most
//	Master.Limits.PerSource 100      joins and the like a second
//	Master.Limits.Global    10 000   the same for all together
//	  Lists.PerSource       16       datagrams of lists a second: one whole list
//	  Lists.Global          10 000   the same for all together, 10 MB a second
//	  MaxListPackets        16       so 2720 servers; the next list goes on there
//	  MaxServers            100 000  in all
//	  MaxPerAddress         64       servers of an IPv4 address
//	  MaxPerPrefix          256      servers of an IPv4 /24, of one provider
//	Client.Timeout          1 s      for each answer
//	Client.Attempts         3        so a silent server is known after 3 s, and
//	                                 nobody else waits for it
//	Client.Silence          250 ms   after which an answer without an end is over
//	Client.ListEvery        2 s      between two requests for one list, and up to
//	                                 75 s while a master fails
//
// # Memory
//
// A Server takes 128 KiB for its limits, however many sources ask, the answers,
// which are made by Set, and for each socket that Serve reads up to 64 requests
// and as many answers. Respond allocates nothing if dst is that of the last
// request. A Master takes 256 KiB for its limits, and memory for a server only
// once that is listed. A Client remembers 64 lists. A Scan takes memory for the
// servers it waits for, of which there are 65 536 at most and 256 that are
// expected to answer soon, and not for the list of targets.
package gameagentnet
