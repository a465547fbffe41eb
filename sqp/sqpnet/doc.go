// Package sqpnet provides a server and a client for the Server Query Protocol over UDP.
// Package sqp is the codec.
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
//	  |<-------------------------------------|   and again for the next chunk,
//	                                             from another port
//
// # Server
//
// A [Server] answers queries about one game server. The game calls Set when something
// changes, or from its function Refresh. Set encodes the answers once, so answering a query
// only copies bytes, for any number of players. Serve runs on a socket of the caller. A
// game with a loop of its own calls Respond instead, which starts no goroutine.
//
// An answer contains every requested chunk, even if it is empty, and has the version of the
// query: 1, 2, or 0, as between Unity's C# test client and server. Queries of other
// versions are not answered.
//
// An answer of more than [sqp.MaxDatagram] bytes is split into packets of that size. Only
// the client of this package is known to join them. The answer with ServerInfo alone has at
// most 1045 bytes: go-svrquery, which queries nothing else, can always read it. Its buffer
// has 1472 bytes, so it could not read a longer answer in one datagram either. Clients of
// other programs read other chunks up to that size: about 60 players with names of 20
// bytes.
//
// # Client
//
// A [Client] queries one server with Query and thousands with Scan. It requests one
// chunk at a time, ServerInfo first, because some servers answer nothing else. Each
// query has its own token, because most tokens are valid only once, and its own
// port: chunks have no tags and a server may give a port the same token again, so a
// late copy of one answer would otherwise pass for the next. A Client ignores
// datagrams from other addresses and malformed ones.
//
// A query without an answer is sent again, with the same token, after half of Timeout. A
// challenge request is not repeated, because some servers ignore a port that sends a second
// one: the next attempt uses another port. If a network loses 5 % of the datagrams each
// way, about one server in 11 000 appears silent. A server that answers the challenge
// request but not the query receives more queries by default.
//
// Metrics are requested in version 1, and again in version 2 if the server answers without
// them: Unity's Go server sends them in version 2 only, the sample server of go-svrquery in
// version 1 only. A server without metrics that ignores version 2 therefore takes all
// attempts.
//
// A Client joins split answers with up to 94 208 bytes, so it reads everything that a
// Server sends. It also reads unsplit answers of any size.
//
// # Safety
//
// A token is a keyed hash of the client's address, its port and the time, so the server
// needs no table. It is valid for 10 to 20 seconds. A source without a valid token never
// receives more bytes than it sent: the answer to a challenge request is as long as the
// request, and its other datagrams are not answered. Nothing is logged per packet.
//
// A host that guesses the port of a query can forge its answer, because the client learns
// the token from the server. A Scan uses 16 or more random ports, so a server that it
// queries can forge the answers of only a few others.
//
// # Limits
//
// Limits named after a field can be changed:
//
//	Limits.PerSource   100      requests a second of an IPv4 address or an IPv6
//	                            /64, with a burst of 100. All five chunks take
//	                            ten requests, so this allows ten full queries
//	Limits.PerPrefix   1600     requests a second of an IPv4 /24 or an IPv6 /48
//	Limits.Global      100 000  requests a second in total. This takes less than
//	                            one core
//	a request          64 bytes real ones have up to 8; longer ones are dropped
//	Client.Timeout     1 s      for each answer
//	Client.Attempts    4        so a silent server is known after 4 s. It does not
//	                            hold up others
//
// # Memory
//
// A Server needs 544 KiB for its limits, for any number of sources; the encoded state; and
// for each socket up to 64 requests and as many answers. Respond allocates nothing if dst
// has room. A Scan expects answers of up to 3276 servers at a time, or more if its Rate
// needs them, remembers up to 65 536 that may still answer, and reads up to 512 targets
// ahead.
package sqpnet
