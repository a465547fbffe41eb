// Package warzonenet is the lobby of Warzone 2100, also called its master
// server, over TCP, and what games and clients need to talk to one. Packages
// warzone, wzproposal and wzjson are the codecs.
//
// # Games
//
// [Games] are the open games of a lobby. Four servers may share them, each on a
// port of its own: [Lobby] is the protocol that the game speaks, the others are
// the proposals of 2009. A game that is opened through one is listed by all, as
// far as they can carry it:
//
//	opened through   listed by Lobby as       by the proposals as
//	Lobby            its host sent it         name, map, most players
//	a proposal       version 4 with its port, name, map, most players
//	                 and no netcode version:
//	                 the game shows it and
//	                 does not join
//
// Texts that are too long for a protocol are cut at a rune there. A game that a
// proposal says has started is no longer listed by Lobby, and still by the text
// and binary proposals. Lists for clients 2.0 and 2.1 have only games at IPv4
// addresses and [warzone.GamePortOf20], since those clients know no other.
//
// A game is where its host's connection comes from, whatever the host says: the
// port is all it may choose. So nobody can have another's address listed.
//
// Games with an Admit withhold games from every list, as those that are banned,
// and keep them otherwise: their hosts are answered as usual. Review looks at all
// again once the rules have changed.
//
// # Lobby
//
// A [Lobby] speaks to all clients and hosts since 2005 on one port. Lists of 814
// bytes a game have a first batch of up to 11 games for clients before 2020, who
// cannot take more, and then all, for later ones; games of version 2 and 3 come
// first, as those are what the older clients could join. Clients 2.0 and 2.1
// cannot be told from others by their request, and need a Lobby with another
// Layout on a port of their own.
//
// Before a game is listed the Lobby connects to it. A host of version 4 must
// answer with the id that it was given; of earlier ones it is enough that they
// accept the connection. A host whose game cannot be reached is told so, stays
// connected and may try again with its next update, every 10 seconds. A host is
// answered within the time it waits: 10 seconds in version 4, of which the Lobby
// takes up to 6, and 2.5 for its updates and before version 4, of which it takes 2.
//
// A game is listed for as long as its connection lasts. Hosts of version 4 send
// something every 25 seconds and are dropped after 90 seconds of silence. Earlier
// ones send nothing until something changes. They are dropped after 6 hours, and
// much sooner by the keep-alive of TCP, which is on by default, if they are gone.
//
// Every update is answered with a status, because hosts since 2020 leave if it is
// not; those before do not read it. Games of 112 bytes are not answered, and a Keep
// never is.
//
// # Hosting
//
// A [Host] is what a game embeds. Set says what game, Run keeps it announced:
//
//	Host                                   Lobby
//	  | GameIDRequest                        |   not of games before 2.3
//	  |------------------------------------->|
//	  |               GameIDReply            |
//	  |<-------------------------------------|
//	  | AddGame                              |   7 s at least after what was
//	  |------------------------------------->|   sent before; the lobby asks
//	  |               Status                 |   the game's port: RespondAlive
//	  |<-------------------------------------|   within Timeout, 15 s
//	  | Update                               |   version 3: no answer awaited,
//	  |------------------------------------->|   before: another connection
//	  |               Status                 |
//	  |<-------------------------------------|
//	  | Keep                                 |   version 4, after 25 s
//	  |------------------------------------->|
//
// Changes are not sent more often than the game does, every 7 s, as they are then.
// Unlike the game, which is not listed any more once its connection has ended, a
// Host connects again, with a wait that doubles from about 5 s to 5 min and is up to
// half longer or shorter, so that not all hosts come back to a lobby at once; it
// starts at 5 s again after an announcement that stood for a minute. Lobbies before
// 2020 answer no updates. That looks like one that has vanished, so the first time
// the Host announces the game again, and the next time does without answers, and
// without keeps, which those lobbies do not know either.
//
// A Host believes its lobby: anybody can say anything over a connection that is not
// TLS. What it can do is bounded: a text of 64 KiB at most, a call of Changed for
// each thing sent, and nothing that is allocated by a number from the wire. The id
// of the game is no secret; everybody who connects to the game's port can have it.
//
// # Listing
//
// A [Client] gets the list of any lobby since 2005. It takes the second batch if
// there is one, and ends at the end of the connection or, because lobbies before
// 2020 may leave it open and do not tell, when nothing has come for 2.5 s where a
// reply may end. So their list takes 2.5 s. Silence elsewhere may last for 5 s, and
// all of it 50 s, so a lobby that trickles bytes holds nobody for ever. Numbers of
// games beyond Options.MaxGames (1024 a batch) and texts beyond 64 KiB are refused
// when they come; a list takes less than 4 MB, and 64 lobbies are remembered. The
// cost of reading is linear in the bytes, however small the pieces.
//
// All that a listing says is what hosts said, but for Host, which the lobby sets,
// if it is an honest one. Nothing proves who a lobby is.
//
// # Proposals
//
// [ProposalLobby] and [JSONLobby] answer each request, in order. What
// is wrong within a whole message is answered with an Error and the connection
// goes on, up to 16 times; it ends where nothing tells where the next message
// starts. A request has up to 1 KiB of text, 257 bytes or 4 KiB of JSON.
//
// A game outlives its connection: for 10 minutes after the last OPENGAME or
// STARTGAME, as hosts of the text and binary proposal have nothing else to say,
// and for 120 seconds after the last heartbeat, of which one every 30 seconds is
// usual. The text and binary proposal know it by the address of the host and its
// port, so who shares the host's address may close it. The JSON proposal knows
// it by an id that only the host is told; there a game is at port 2100, so an
// address has one.
//
// In names, maps and techs, control characters are spaces and what is not UTF-8
// is U+FFFD. Names have up to 124 bytes and maps 64, which is what a frame of the
// binary proposal has room for. A list has the first 1023 games, or in JSON as
// many as 64 KiB hold, some 500; a filter of up to 8 objects looks at all. JSON
// cannot tell what has started, and leaves it out.
//
// Unlike a Lobby, these servers do not look whether a game can be reached:
// nothing in the proposals would tell the game from another program.
//
// [ProposalClient] and [JSONClient] make a connection for each request, as the
// proposals keep no state of a connection. [ProposalHost] and [JSONHost] keep a
// game listed with them: they announce it again in time, and anew to a lobby that
// has forgotten it or was down.
//
// # Sharing
//
// With a [Store], nodes share one list: each Games has all of it in memory,
// tells the Store of its own games and hears from it of those of others. The
// games of a node that is gone expire. A game is changed and closed at the node
// where it was opened, so hosts of the proposals, who connect for each request,
// have to come to the same one; who opens a game again at another moves it there.
//
// # Safety
//
// All is plain text, and anybody can list games: use a TLS listener where both
// ends can. Lists and logs hold what hosts sent, so take care before showing it.
// Ids are random numbers, but no secret, for the list shows them; they prove
// nothing but that a game answers where it is said to be.
//
// The Lobby connects only to addresses that have connected to it, and sends 8
// bytes there. A connection may make 16 requests at once and 5 a second; those of
// one that makes more wait.
//
// Limits are the same for all servers. Their defaults, and why:
//
//	First, Frame, Write   10 s    a slow line needs a second or two
//	Idle                  30 s    who has no game has nothing to wait for
//	MaxConns              20 000  at 16 KiB each, 320 MB
//	MaxPerAddress         64      a house or an office behind one address; it is
//	                              an IPv4 address or an IPv6 /64
//	MaxPerPrefix          512     an IPv4 /24 or an IPv6 /48, of one provider
//	MaxGames              16 384  leaves connections for those who list
//	MaxListed             1024    835 KB, and what clients read by default
//
// # Memory
//
// A host takes 10 KiB, and 14 at most while there are many lists and updates: a
// goroutine, a buffer of 64 bytes while nothing comes, and its game. That is
// measured with ten thousand hosts and the garbage collector as it is by
// default. A list takes what is being written of it in the system, and no copy:
// its records are encoded when a game changes, and all who read share them. A
// client that is slow to read has the list as it was, up to 835 KB, and is dropped
// if it takes less than 64 KiB of it within 10 seconds, or 128 within 20 over TLS.
//
// A proposal's server that has ever been asked for a list keeps a row of each
// game, of 50 to 300 bytes, and the last list.
package warzonenet
