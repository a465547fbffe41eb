// Package gamespy1net provides a client for the first protocol of GameSpy, which queries
// game servers over UDP and fetches the lists of masters over TCP, and a master, which
// lists servers. Package gamespy1 is the codec. Servers and registrations for this protocol
// are in package gameagentnet.
//
// # Flow
//
//	Client              Server, UDP          Master, TCP
//	  |                   |        gamespy1.Greeting |
//	  |<---------------------------------------------|
//	  | gamespy1.ListRequest                         |
//	  |--------------------------------------------->|
//	  |                   |      gamespy1.ServerList |   or an AddressList, as text
//	  |<---------------------------------------------|
//	  | gamespy1.Request  |
//	  |------------------>|
//	  | gamespy1.Status   |
//	  |<------------------|   one or more packets
//
// # Client
//
// A [Client] queries one server with Status, and thousands with Scan. List fetches the list
// of a master, and [Listing.Targets] chooses which of its servers to scan; a
// [lobbywire.Browser] does all that. Each attempt uses another port. The client ignores
// datagrams that are malformed or late. If the operating system reports that the port is
// closed, the error is returned at once, except in a scan.
//
// The protocol has no request ids, so anybody who guesses the port of a query can forge its
// answer. A Scan uses 16 or more random ports, so a server that it queries can forge the
// answers of only a few others.
//
// # Master
//
// A [Master] lists servers that have answered a query, after a heartbeat that they send every
// 150 s. Serve receives the heartbeats, usually at [gamespy1.MasterPort], and ServeLists sends
// the lists over TCP, usually at [gamespy1.ListPort]. By default the servers of Serious Sam are
// listed; set Games for others. SyncFrom and SyncFor share servers with other masters.
// Admit can withhold servers from the lists, for example banned ones.
//
// Serious Sam's servers register by this protocol or by GameAgent, usually at
// [gameagent.MasterPort]. The Master speaks both on every socket, and keeps one list: a server
// that registers by both is listed once. The list of GameAgent does not name games: it contains
// all servers that have registered by GameAgent, and those of games that have Native set. The
// list of a game contains the servers that have registered by GameSpy, and those whose
// heartbeats of GameAgent name the game as their product, unless the game has Validate. A
// server answers queries of only one protocol, and the lists do not state which, so clients
// that get no answer should try the other.
//
// Serve requests a receive buffer of 4 MiB, for many servers that send at one moment, for
// example after a restart of a host. The system may grant less: on Linux the sysctl
// net.core.rmem_max is the limit.
//
// # Safety
//
// A client accepts an answer only from the address that it has queried, and only at the
// local port that sent the query. A list names any addresses; Targets leaves out those that
// a list must not name.
//
// # Limits
//
// [MasterLimits] and [Client] document the limits that can be changed, with their defaults.
// The others are those of package gamespy1, 10 times Client.Timeout for a list, and:
//
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
// A Master needs 1302 KiB for its limits, up to 640 KiB for servers that it is going to query,
// and memory for a server only once the server is listed. A Client caches up to 64 lists. A Scan expects answers of up to 3276 servers at a time, or
// more if its Rate needs them, remembers up to 65 536 that may still answer, and reads up to
// 512 targets ahead.
package gamespy1net
