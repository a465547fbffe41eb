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
// A [Server] answers about one game server. The game calls Set when something
// changes; a query then costs a copy, whatever the number of players. Serve
// runs on a socket of the caller's; a game with a loop of its own calls Respond
// instead and has no goroutine of this package.
//
// All five chunks are always answered, empty if there is nothing to tell, in
// one datagram: no known client joins split answers. Keep an answer below
// [sqp.MaxDatagram] bytes if networks that drop fragments matter.
//
// # Client
//
// A [Client] asks one server with Query, thousands with Scan. It asks for one
// chunk at a time, ServerInfo first, each with a token of its own, because some
// servers answer nothing else and tokens mostly serve once. It asks again from
// another port, because some servers ignore a port whose conversation broke.
// Answers from elsewhere, malformed ones and late ones are passed over.
//
// # Safety
//
// Tokens are a keyed hash of the asker's address, his port and the time: there
// is no table to fill. They are valid for 10 to 20 seconds. Before a source has
// shown by a token that it receives, it is sent at most as many bytes as came
// from it: the answer to a challenge request is as long as the request, and
// everything else is silence. Nothing is logged per packet.
//
// # Limits
//
// All can be changed but those without a field:
//
//	Limits.PerSource   100      requests a second of an IPv4 address or an IPv6
//	                            /64, after as many at once: all five chunks take
//	                            ten, so an address has ten scans of those
//	Limits.Global      100 000  requests a second of all together: less than a
//	                            core answers, more than a game is ever asked
//	a request          64 bytes real ones have 8 at most; longer ones are dropped
//	Client.Timeout     1 s      for each answer
//	Client.Attempts    3        so a silent server is known after 3 s, and nobody
//	                            else waits for it
//	an answer          8192     bytes that a client takes; it may come in
//	                            fragments, for servers do not split answers
//
// # Memory
//
// A Server takes 128 KiB for its limits, however many sources ask, what it was
// told by Set, and for each socket that Serve reads up to 64 requests and as
// many answers. Respond allocates nothing if its buffer has room. A Scan takes memory
// for the servers it waits for, of which there are 65 536 at most and 256 that
// are expected to answer soon, and not for the list of targets.
package sqpnet
