// Package sqpnet serves and sends queries of the Server Query Protocol over
// UDP. Package sqp is the codec.
//
// # Flow
//
//	Client                                 Server
//	  | ChallengeRequest                     |
//	  |------------------------------------->|
//	  |                   ChallengeResponse  |   with a token
//	  |<-------------------------------------|
//	  | QueryRequest                         |   with the token, for one chunk
//	  |------------------------------------->|
//	  |                   QueryResponse      |
//	  |<-------------------------------------|   and again for the next chunk
//
// # Server
//
// A [Server] answers queries about one game server. The game calls Set when
// something changes; a query then costs a copy, whatever the number of players.
// Serve runs on a socket of the caller. A game with a loop of its own calls
// Respond instead, which starts no goroutine.
//
// An answer has all requested chunks, empty ones too, in one datagram, because no
// known client joins split answers. Keep it below [sqp.MaxDatagram] bytes if it
// must pass networks that drop IP fragments.
//
// # Client
//
// A [Client] queries one server with Query and thousands with Scan. It requests one
// chunk at a time, ServerInfo first, because some servers answer nothing else. It
// gets a new token for each query, because most tokens are valid only once. It
// repeats a query from another port, because some servers ignore a port after an
// incomplete exchange. It ignores datagrams from other addresses, malformed ones
// and late ones.
//
// # Safety
//
// A token is a keyed hash of the client's address, its port and the time, so the
// server needs no table. It is valid for 10 to 20 seconds. An unverified source,
// one that has not sent a valid token, never gets more bytes than it sent: the
// answer to a challenge request is as long as the request, and nothing else is
// answered. Nothing is logged per packet.
//
// # Limits
//
// Those with a field can be changed:
//
//	Limits.PerSource   100      requests a second of an IPv4 address or an IPv6
//	                            /64, with a burst of 100. All five chunks take
//	                            ten requests, so this allows ten full queries
//	Limits.Global      100 000  requests a second in total. This takes less than
//	                            one core
//	a request          64 bytes real ones have up to 8; longer ones are dropped
//	Client.Timeout     1 s      for each answer
//	Client.Attempts    3        so a silent server is known after 3 s. It does not
//	                            hold up others
//	an answer          8192     bytes that a client accepts; it may arrive in IP
//	                            fragments, because servers do not split answers
//
// # Memory
//
// A Server needs 128 KiB for its limits, whatever the number of sources, the
// encoded state, and for each socket up to 64 requests and as many answers. Respond
// allocates nothing if dst has room. A Scan needs memory for the servers it waits
// for, up to 65 536, of which up to 256 are expected to answer soon; it does not
// hold the list of targets.
package sqpnet
