// Package bombermannet provides servers and clients for the Bomberman protocol over TCP:
// the management server, a registrar that lists a game server there, a client for the list,
// and both ends of a connection to a game server. Package bomberman is the codec.
//
// # Flow
//
//	Registrar  --- stays connected, sends changes -->  ManagementServer
//	Client     --- query, list --------------------->  ManagementServer
//	GameConn   <-- messages and heartbeats --------->  GameConn
//
// A [ManagementServer] serves the caller's listeners and lists game servers as long
// as their connections last. A [Registrar] keeps such a connection for a game
// server and reconnects when it ends. A [Client] fetches the list for a launcher
// and limits how often it does so. A [GameConn] is either end of the connection
// between a player and a game server; the game decides which messages are valid at
// any time.
//
// For TLS, pass a listener of [crypto/tls] to Serve, the DialContext of a
// [crypto/tls.Dialer] to Registrar or Client, and a [crypto/tls.Conn] to GameConn.
// The protocol itself has no encryption.
//
// # Tolerance
//
// Frames are parsed with the default options of package bomberman: lengths in units
// of UTF-16, as programs in Java send them, are accepted, and white space between
// frames is skipped. An invalid message in a complete frame is discarded, and the
// connection stays open. An invalid frame, or a message longer than
// [bomberman.MaxPayload], ends the connection. Output is always strict.
//
// # Limits
//
// Each deadline covers a whole step: trickling bytes and white space do not extend it. The
// Limits of a [ManagementServer]:
//
//	First, Frame, Write  10 s     a slow connection needs a second or two
//	Idle                 2 min    for clients, which need not stay connected
//	IdleRegistered       none     game servers need not send anything; TCP
//	                              keep-alive detects those that are gone
//	MaxConns             10 000   at 8 KiB each, 80 MB
//	MaxPerAddress        64       connections of an IPv4 address or an IPv6 /64,
//	                              enough for a laboratory behind one address
//	MaxPerPrefix         256      of an IPv4 /24 or an IPv6 /48, such as one provider
//	MaxBuffered          8 MiB    of incomplete messages longer than 1 KiB
//	QueryRate            5        queries a second of a connection, with a burst of 16
//	Rate                 50       other messages, with a burst of 64
//	MaxServers           100 000  including those of other nodes
//
// The fields of the other types give their defaults. A Client accepts lists of up to
// 1 MiB.
//
// # Memory
//
// A connection of a management server with its game server needs about 8 KiB, which a test
// measures, and the buffers of the operating system. Up to 1 KiB of that is input;
// MaxBuffered bounds the memory of longer messages for all connections together. Answers
// share the memory of the list; for a peer that does not read, they keep up to 64 KiB of an
// old list until the write deadline. Nothing is read from a peer until it has accepted the
// last answer, so a peer that keeps asking gets the list only as fast as it reads. A Client
// caches up to 64 lists.
//
// # Safety
//
// A management server forwards unverified data: any peer can list any name and any address.
// It checks only their form. From of an [Entry] is the address of its connection, and
// MaxPerAddress and MaxPerPrefix bound the connections of one owner of addresses. Clients
// should quote names and addresses before showing them, and should not assume that the game
// server exists. There is no amplification, because TCP verifies the address of a peer.
//
// Content from peers is never logged.
package bombermannet
