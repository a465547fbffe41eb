// Package sqpnet serves and sends queries of the Server Query Protocol over
// UDP. Package sqp is the codec.
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
// everything else is silence. Sources and the sum of them are rate limited in
// fixed memory. Nothing is logged per packet.
package sqpnet
