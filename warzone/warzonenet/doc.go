// Package warzonenet provides lobbies, hosts and clients of Warzone 2100 before version
// 4.7. Other games call a lobby a master: hosts announce their games to it, and clients
// fetch its list. The protocol runs over TCP; package warzone is the codec. Package
// wzhttpnet is for the HTTP lobby of 4.7, and for programs that use both.
//
// # Flow
//
// A [Lobby] serves versions of the game from 2.0 to 4.6. It lists the games of a
// [warzonegames.Games], which lobbies of other protocols may share: package wzhttpnet has
// the lobby of 4.7, and proposalnet those of three proposals of 2009.
//
// Clients can join only games of their own netcode version, so clients of 4.7 cannot join
// hosts of 4.6 and vice versa. By default they hide such games. Hosts of 4.7 also expect
// players to send a token, which only a wzhttpnet.Lobby issues.
//
// Texts that are too long for a protocol are cut at the end of a character. Only the lists
// of the text and binary proposals contain started games. Lists for clients 2.0 and 2.1
// contain only games at IPv4 addresses and [warzonegames.Games.RecordPort], the only port
// that these clients know.
//
// A game is listed at the address of its host's connection; the host chooses only
// the port. A host that uses the protocols of 4.6 and 4.7 at one address and port is
// listed once.
//
// # Lobby
//
// Lists of 814-byte games consist of a first batch of up to 11 games for clients before
// 2020, which accept no more, and a second batch with all games for later ones. Games of
// version 2 and 3 come first, because older clients can join only these. Clients 2.0 and
// 2.1 need another layout but send the same requests, so they need a second Lobby on
// another port.
//
// Before a [Lobby] lists a game, it connects to it. A host of version 4 must answer with
// the id that the Lobby gave it; earlier ones must accept the connection. If that fails,
// the status for the host reports it, and its updates cause another check, at most every 10
// seconds.
//
// A Lobby connects to listed games again, about every two minutes. A game that does not
// answer four consecutive checks, over several minutes, is withheld from all lists until it
// answers; the next status for its host reports this. See package warzonegames.
//
// A game is listed as long as its connection lasts. Hosts of version 4 send something
// every 25 seconds and are dropped after 90 seconds of silence. Earlier ones send nothing
// until something changes, and are dropped after 6 hours of silence or, if their machine
// has disappeared, much sooner by TCP keep-alive, which is on by default.
//
// Another process can take over the connections of hosts, for example after a crash, if
// something keeps copies of them: see [Lobby.Resume].
//
// # Hosting
//
// A game embeds a [Host]. Set describes the game, and Run keeps it announced. Package
// warzone shows the messages.
//
// A Host trusts its lobby: without TLS, anybody on the path can answer for it. The effect
// of a lobby is bounded: no text exceeds 64 KiB, each message of the Host causes at most
// one call of Changed, and no number from the wire sizes an allocation. The id of the game
// is not secret: anybody who connects to the game's port can obtain it.
//
// # Listing
//
// A [Client] fetches the list of any lobby from 2005 to 4.6. A batch of more than
// Options.MaxGames games (by default 1024) or a text longer than 64 KiB is refused before
// it is read. The lists of 64 lobbies are cached. Reading a list takes time linear in its
// size, however it is cut.
//
// Everything in a listing except Host is claimed by the game's host; Host is set by
// the lobby, if it is honest. Without TLS nothing proves the identity of a lobby.
//
// # Misuse
//
// A negative value of a field means its default, as 0 does, except in Limits,
// where it allows nothing, and for ListEvery of clients. Run of a host fails at
// once if Set was not called or Addr is not host:port.
//
// # Safety
//
// Nothing is encrypted, and anybody can list games: use a TLS listener where both
// ends support it. Lists contain text from hosts, so quote it before showing it.
// The ids of a Lobby are random numbers, but not secret, because lists contain
// them; they prove only that a game answers at its address.
//
// A Lobby connects only to addresses that have connected to it, and sends 8 bytes there. A
// connection may make a burst of 16 requests and then 5 a second; further requests wait.
// The log contains one line a minute about refused games, with the number of others.
//
// # Limits
//
// Limits are the same for all servers. Their defaults, and why:
//
//	First, Frame, Write   10 s    a slow connection needs a second or two
//	Idle                  30 s    peers without a game need not wait
//	MaxConns              20 000  about 300 MB, see Memory
//	MaxPerAddress         64      a household or an office behind one address; it is
//	                              an IPv4 address or an IPv6 /64
//	MaxPerPrefix          512     an IPv4 /24 or an IPv6 /48, such as one provider
//	MaxBuffered           16 MiB  long incomplete messages, of all connections
//
// # Memory
//
// A host takes 10 KiB, and up to 14 KiB under many lists and updates: a goroutine, a buffer
// of 64 bytes while it is idle, and its game. This was measured with 10 000 hosts and Go's
// default garbage collector settings; with GOGC=25 it is 9 KiB. The stack of a goroutine
// that reads from a net.Conn takes 4 KiB of it. All connections that read a list share its
// memory, so sending it takes only buffers of the operating system. A slow client gets the
// list from the time of its request, and is dropped if it reads less than 64 KiB in 10
// seconds.
package warzonenet
