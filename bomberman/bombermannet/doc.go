// Package bombermannet is the TCP side of the Bomberman protocol: the management
// server, what a game server needs to be in its list, a client for that list,
// and both ends of a connection to a game server. Package bomberman is the codec.
//
// # Flow
//
//	Registrar  --- stays connected, tells Set --->  ManagementServer
//	Client     --- asks, gets the list ---------->  ManagementServer
//	GameConn   <-- messages and heartbeats ------>  GameConn
//
// A [ManagementServer] serves listeners of the caller's and lists game servers
// as long as their connections last. A [Registrar] holds such a connection for a
// game server, however often it breaks. A [Client] gets the list for a launcher,
// and spares the management server. A [GameConn] is either end of what players
// have with a game server, from the lobby to the end of a round; who may send
// what when is the game's affair.
//
// For TLS, hand a listener of [crypto/tls] to Serve, the DialContext of a
// [crypto/tls.Dialer] to Registrar or Client, and a [crypto/tls.Conn] to
// NewGameConn. The protocol itself knows none.
//
// # Tolerance
//
// Frames are cut as package bomberman does by default: lengths that count units
// of UTF-16, as programs in Java send them, are understood, and white space
// between frames is skipped. An invalid message in a whole frame is dropped and
// the connection goes on. A stream that is out of step, or a message longer than
// [bomberman.MaxPayload], ends it. What is sent is always strict.
//
// # Limits
//
// Each default has its reason at its field. Times are for steps, never for
// bytes: a peer that sends a byte now and then, or white space, wins none. What
// comes in is kept in 1 KiB unless a message needs more, and that has a bound
// for all connections together. What goes out to a peer that does not read waits
// for a while and in bounded memory; then the peer is dropped.
//
// # Safety
//
// A management server passes on what it is told: whoever can connect can list a
// name and an address, which need not be his own. It judges their form only.
// Clients should show neither without care, and should not take the list for
// proof that there is a game server at all. There is no amplification, for TCP
// shows where a peer is before it is answered.
//
// Nothing that a peer sends is logged.
package bombermannet
