// Package proposalnet provides a lobby, a host and a client for the three protocols that
// were proposed in 2009 for the lobby of Warzone 2100, over TCP. They were never deployed:
// the package shows the documents of 2009, and may change in any release.
//
// The field Proposal selects one of them: [Text], [Binary] or [JSON]. Packages wzproposal
// and wzjson are the codecs.
//
// # Flow
//
//	Host                                   Lobby
//	  | OpenGame, or Add                     |
//	  |------------------------------------->|
//	  |                Done, AddAck or Error |  AddAck has the id of the game
//	  |<-------------------------------------|
//	  | OpenGame, StartGame,                 |
//	  | Update or Heartbeat                  |
//	  |------------------------------------->|
//	  |                   Done, Ack or Error |  in JSON, silence is as good as an Ack
//	  |<-------------------------------------|
//	  | CloseGame, or Goodbye                |
//	  |------------------------------------->|
//
//	Client                                 Lobby
//	  | List                                 |
//	  |------------------------------------->|
//	  |                  GameList or ListAck |
//	  |<-------------------------------------|
//
// Hosts and clients here use a connection for each command. The proposals differ as follows:
//
//	                      Text and Binary        JSON
//	port of a game        its host names it      2100
//	a game is identified  address and port       a secret id
//	by
//	lifetime without a    10 minutes             2 minutes
//	command
//	Tech                  none                   sent
//	Status                sent                   none: started games are not listed
//	filters               none: all games        up to 8 elements
//	several games of an   listed                 the last one is listed
//	address
//
// # Lobby
//
// A [Lobby] answers each command, in order. It lists a game at the address of its host's
// connection. A game outlives its connection, and only the proposal that opened it can
// change it. Text and Binary identify a game by the address and port of its host, so other
// programs behind the same address can close it. A Lobby does not check whether a game can
// be reached before it lists it, because the proposals cannot distinguish the game from
// another program. It connects to each game about every two minutes. A game that has
// accepted a connection before and then accepts none for several minutes is withheld, and
// the commands of its host are refused, until it accepts one again.
//
// Lobbies of several proposals, each on its own port, and those of packages warzonenet and
// wzhttpnet, can share their games through a [warzonegames.Games]. All of them list a game
// that was opened through one of them, with the fields that their protocols define.
//
// In names, maps and techs, control characters become spaces, and text that is not UTF-8 is
// read as Windows-1252. Names have up to 124 bytes and maps 64, which fit in a frame of
// Binary. A list contains the first 1023 games, or in JSON as many as fit in 64 KiB, about
// 500; a filter applies to all games.
//
// With a Store, nodes share one list. Only the node that opened a game can change and close
// it, so a host must always reach the same node; opening a game again at another node moves it
// there.
//
// # Host
//
// A [Host] keeps one game in the list of a lobby. Set or SetView describe the game, and Run
// keeps it announced. A Host trusts its lobby: without TLS, anybody on the path can answer for
// it.
//
// # Client
//
// A [Client] fetches lists. Everything in a [Listing] except Host is claimed by the game's
// host; Host is set by the lobby, if it is honest. Without TLS nothing proves the identity of
// a lobby. A list has at most 1023 games, or 64 KiB of JSON. The lists of 64 lobbies are
// cached.
//
// # Safety
//
// Nothing is encrypted, and anybody can list games: use a TLS listener where both ends support
// it. Lists contain text from hosts, so quote it before showing it.
//
// A Lobby connects only to the address that the host of a game has connected from. It answers
// a malformed command with an Error and keeps the connection, up to 16 times, unless it cannot
// find the start of the next one. A connection may make a burst of 16 commands and then 5 a
// second; further commands wait.
//
// An id of JSON contains a keyed hash, which is compared in constant time. Without a Key,
// each Lobby uses a random one: ids then become invalid with the Lobby, and hosts add their
// games again.
//
// Lists with a filter have rate limits, because each is made for its command: 4 a second
// for an IPv4 address or an IPv6 /64, with a burst of 16; 16 for an IPv4 /24 or an IPv6
// /48, with a burst of 64; and 50 in total. Further ones are refused. Other lists have no
// rate limit.
//
// A negative value of a field means its default, as 0 does, except in Limits, where it allows
// nothing, and for ListEvery. Run of a host fails at once if Set was not called or Addr is not
// host:port.
//
// # Limits
//
//	First, Frame, Write   10 s    a slow connection needs a second or two
//	Idle                  30 s    peers use a connection for each command
//	MaxConns              20 000  about 300 MB, see Memory
//	MaxPerAddress         64      a household or an office behind one address; it is
//	                              an IPv4 address or an IPv6 /64
//	MaxPerPrefix          512     an IPv4 /24 or an IPv6 /48, such as one provider
//	MaxBuffered           16 MiB  long incomplete commands, of all connections
//
// A command has up to 1 KiB of text, 257 bytes of binary or 4 KiB of JSON. Games limits the
// number of games.
//
// # Memory
//
// A connection takes 10 KiB to 14 KiB: a goroutine and a buffer. Once a Lobby has sent a list,
// it keeps a row of 200 to 500 bytes for each game, and the last list.
package proposalnet
