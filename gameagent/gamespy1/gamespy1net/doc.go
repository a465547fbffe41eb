// Package gamespy1net provides a client for the first protocol of GameSpy, which queries
// game servers over UDP and fetches the lists of masters over TCP. Package gamespy1 is the
// codec. Servers, registrations and masters for this protocol are in package gameagentnet.
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
// # Safety
//
// A client accepts an answer only from the address that it has queried, and only at the
// local port that sent the query. A list names any addresses; Targets leaves out those that
// a list must not name.
//
// # Limits
//
// [Client] documents the limits that can be changed, with their defaults. The others are
// those of package gamespy1, and 10 times Client.Timeout for a list.
//
// # Memory
//
// A Client caches up to 64 lists. A Scan expects answers of up to 3276 servers at a time, or
// more if its Rate needs them, remembers up to 65 536 that may still answer, and reads up to
// 512 targets ahead.
package gamespy1net
