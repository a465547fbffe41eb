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
// A ManagementServer with an Admit withholds game servers from its list, as those
// that are banned, and keeps them otherwise: they stay connected and are told
// nothing. Review looks at all again once the rules have changed.
//
// For TLS, hand a listener of [crypto/tls] to Serve, the DialContext of a
// [crypto/tls.Dialer] to Registrar or Client, and a [crypto/tls.Conn] to
// GameConn. The protocol itself has no encryption.
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
// Times are for steps, never for bytes: a peer that sends a byte now and then, or
// white space, wins none. Those of a [ManagementServer], all fields of its Limits:
//
//	First, Frame, Write  10 s     a slow line needs a second or two
//	Idle                 2 min    who has no game server has nothing to wait for
//	IdleRegistered       none     game servers need not say anything; keep-alive
//	                              of TCP finds those that are gone
//	MaxConns             10 000   at 8 KiB each, 80 MB
//	MaxPerAddress        64       a lab behind one address; it is an IPv4 address
//	                              or an IPv6 /64
//	MaxPerPrefix         256      an IPv4 /24 or an IPv6 /48, of one provider
//	MaxBuffered          8 MiB    of longer messages that have not come whole
//	MaxServers           100 000  with those of other nodes
//
// and of the others:
//
//	Client.Timeout          5 s      to connect, and to have the list
//	Client.ListEvery        2 s      between two requests, up to 75 s after failures
//	MaxList                 1 MiB    of a list, about 7000 game servers
//	Registrar.Every         1 s      between two messages
//	GameConn.Heartbeat      2 s      so that one of three arrives within 5 s
//	GameConn.Silence        6 s      the 5 s of the protocol, and one for the way
//	GameConn.Write          5 s      for 64 KiB
//	GameConn.MaxPending     256 KiB  about 4 of the longest messages
//
// # Memory
//
// A connection of a management server takes about 8 KiB with its game server, as
// a test measures, besides what the system has for it. What comes in is kept in 1
// KiB of that unless a message needs more, and MaxBuffered bounds that for all
// connections together. What goes out to a peer that does not read waits for a
// while and in bounded memory; then the peer is dropped. A Client remembers 64
// lists.
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
