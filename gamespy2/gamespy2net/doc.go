// Package gamespy2net serves and sends GameSpy queries over UDP. Package
// gamespy2 is the codec.
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
//	  |                   Response           |   one packet, or several if the
//	  |<-------------------------------------|   split form was asked for
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
// Answers are cut into packets where every known client reads them. An answer
// in plain form is one packet: it has as many players as fit.
//
// # Client
//
// A [Client] asks one server with Query, thousands with Scan. By default it
// tries the three ways of asking one after the other. Packets may come in any
// order and more than once; if some do not come, the answer is Partial.
// Answers from elsewhere, with another id, malformed and late ones are passed
// over. Just Cause 2 Multiplayer, which has a format of its own, is not read.
//
// # Safety
//
// Answers can be hundreds of times as long as a query, and the sender of a query
// can forge its address. A client that repeats a challenge proves its address. The
// challenge is a keyed hash of the client's address, its port and the time, valid
// for 10 to 20 seconds; there is no table to fill. A challenge response has at most
// 16 bytes for a request of 7, 2.3 times as many, or 1.3 times with IP headers.
//
// Clients of Battlefield 2 and several tools know no challenges, so by default
// queries without one are answered too, at a rate limit of their own: 10 a second
// for each source and 200 a second for all. A full answer of Battlefield 2 has 3.8
// kB, so at most 38 kB a second go to a victim and 760 kB a second to all. When
// forged queries use up the limit, clients that repeat a challenge still get their
// answers. See [ChallengeMode] for stricter servers. Nothing is logged per packet,
// and no answer is answered.
//
// # Limits
//
// All can be changed but those without a field:
//
//	Limits.PerSource   100      requests a second of an IPv4 address or an IPv6
//	                            /64, after as many at once: a scan takes two
//	Limits.Global      100 000  requests a second of all together
//	Limits.Unverified           queries a second without a valid challenge:
//	         PerSource 10       of one source, after a burst of 30
//	         Global    200      of all sources
//	a request          255      bytes; longer ones are dropped
//	Client.Timeout     1 s      for each answer
//	Client.Attempts    3        one for each way of asking
//
// # Memory
//
// A Server takes 256 KiB for its limits, however many sources ask, the answers
// to full queries, which are made by Set, and for each socket that Serve reads
// up to 64 requests and as many answers. Respond allocates nothing if dst is that of
// the last request. A Scan takes memory for the servers it waits for, of which
// there are 65 536 at most and 256 that are expected to answer soon, and not for
// the list of targets; Discover yields 65 536 servers at most.
package gamespy2net
