// Package warzonenet implements the lobby of Warzone 2100, also called its master
// server, over TCP and, since version 4.7, over HTTP, and the hosts and clients that
// connect to it. Packages warzone, wzhttp, wzproposal and wzjson are the codecs.
//
// # Games
//
// A [Games] holds the open games of a lobby. Several servers may share it, each on
// its own port: [Lobby] speaks the protocol of the game until 4.6, [HTTPLobby] that of
// the game since 4.7, [ProposalLobby] the text or the binary proposal of 2009, and
// [JSONLobby] the JSON proposal. A game that is opened through one server is listed by
// all of them, as far as their protocols can carry it:
//
//	opened through  listed by Lobby as      by HTTPLobby as     by the proposals as
//	Lobby           its host sent it        without a key and   name, map, capacity
//	                                        hashes
//	HTTPLobby       version 4, without key  its host sent it    name, map, capacity
//	                and hashes
//	a proposal      version 4 with its      name, map and       name, map, capacity
//	                port and no netcode     capacity, without
//	                version                 a netcode version
//
// Clients can join games of their own netcode version only, so a client of 4.7 cannot
// join a host of 4.6, nor the other way round; by default they hide such games. Besides,
// a host of 4.7 accepts strangers only with a token that HTTPLobby gives to players.
//
// Texts that are too long for a protocol are cut at the end of a character. Only
// the text and binary proposals can report that a game has started. Lobby and
// JSONLobby then no longer list it; ProposalLobby still does. Lists for clients 2.0
// and 2.1 hold only games at IPv4 addresses and [Games.RecordPort], the only port
// that these clients know.
//
// A game is listed at the address of its host's connection; the host chooses only
// the port. So a host cannot list a game at the address of another host. A host that
// speaks both protocols of the game at one address and port is listed once.
//
// Games with an Admit hide games, for example banned ones, from every list and
// otherwise treat them as usual. Review checks all games again after the rules have
// changed.
//
// # Lobby
//
// A [Lobby] serves the clients and hosts of versions 2.0 (from 2005) to 4.6 on one
// port. Lists of 814-byte games have a first batch of up to 11 games for clients
// before 2020, which accept no more, and a second batch with all games for later
// ones. Games of version 2 and 3 come first, as these are the games that older
// clients can join. The requests of clients 2.0 and 2.1 are the same as those of
// others, so they need a Lobby with another Layout on its own port.
//
// Before it lists a game the Lobby connects to it. A host of version 4 must answer
// with the id that the Lobby gave it; earlier ones must accept the connection. If
// the game cannot be reached, the host receives a status that says so, stays
// connected, and may try again with its next update, every 10 seconds. The Lobby
// answers before the host gives up: hosts of version 4 wait 10 seconds for the
// first answer, so the check takes at most 6; they wait 2.5 seconds for the answer
// to an update, as earlier hosts do for any answer, so then it takes at most 2.
//
// A game is listed as long as its connection lasts. Hosts of version 4 send
// something every 25 seconds and are dropped after 90 seconds of silence. Earlier
// ones send nothing until something changes. They are dropped after 6 hours of
// silence, or much sooner by TCP's keep-alive, which is on by default, if they have
// disappeared.
//
// The Lobby answers every update with a status, because hosts since 2020 disconnect
// without one; earlier hosts ignore it. Games of 112 bytes and Keep messages get no
// answer.
//
// # HTTP lobby
//
// An [HTTPLobby] serves the clients and hosts since 4.7. It is an http.Handler, so it
// can share a port with other pages, and stand behind a proxy:
//
//	Host                                    HTTPLobby
//	  | POST game: Create                     |
//	  |-------------------------------------->|
//	  |        Created: id, two tokens        |
//	  |<--------------------------------------|
//	  | POST connection                       |   one for each family; the lobby
//	  |-------------------------------------->|   connects to the game's port:
//	  |              Status                   |   RespondAlive
//	  |<--------------------------------------|
//	  | PATCH, after 1 s, 2 s, ...            |   the game is published once an
//	  |-------------------------------------->|   address has answered
//	  |        Status: published              |
//	  |<--------------------------------------|
//	  | PATCH, after 30 s, or with a change   |   at least 8 s after the last one
//	  |-------------------------------------->|
//	  | POST check-join-request               |   when a player has come
//	  |-------------------------------------->|
//	  | DELETE                                |
//	  |-------------------------------------->|
//
// The list has no addresses. A player gets them for one game, with a token for its
// host, and the host asks the lobby about the token. A token is valid for two minutes,
// for one game, for one of the roles of player and spectator, and for the first player
// who shows it. It is not bound to an address, which may be another at the lobby than
// at the host.
//
// Hosts of the game give up for good after an error or a connection that fails. Only
// after 429 they wait, for up to two minutes. So a lobby that is restarted should keep
// its socket, as systemd can do for it, and answer 429 until it is ready. Tokens are
// derived from a Key, so they stay valid as long as the Key and the games are kept. The
// nodes of a Store keep the games for each other, and a host may turn to any node; for
// 15 seconds a node answers 429 to a host whose game it does not know yet.
//
// A game expires 90 seconds after the last request of its host. A game that is not
// published expires after 20, and is not shared with other nodes. Clients show the
// first 200 games of the list, so games that were opened through an HTTPLobby come
// first.
//
// # Hosting
//
// A [Host] is what a game embeds. Set describes the game, Run keeps it announced:
//
//	Host                                   Lobby
//	  | GameIDRequest                        |   not for games before 2.3
//	  |------------------------------------->|
//	  |               GameIDReply            |
//	  |<-------------------------------------|
//	  | AddGame                              |   at least 7 s after the last
//	  |------------------------------------->|   message; the lobby connects to
//	  |               Status                 |   the game's port: RespondAlive
//	  |<-------------------------------------|   within Timeout, 15 s
//	  | Update                               |   version 3 awaits no answer,
//	  |------------------------------------->|   earlier ones connect again
//	  |               Status                 |
//	  |<-------------------------------------|
//	  | Keep                                 |   version 4, after 25 s
//	  |------------------------------------->|
//
// Changes are sent at most every 7 s, as the game does; each carries the latest
// state. The game itself does not connect again after its connection has ended; a
// Host does. Its back-off doubles from about 5 s to 5 min, with random jitter so
// that not all hosts return to a lobby at once, and starts anew after an
// announcement that lasted a minute. Lobbies before 2020 answer no updates, which
// looks like a dead lobby: the Host first announces again, and if the next update
// gets no answer either, it stops expecting answers and sends no keeps, which those
// lobbies do not know.
//
// A Host trusts its lobby: without TLS, anybody on the path can answer for it. What
// a lobby can cause is bounded: it makes the Host read at most 64 KiB of text, call
// Changed once for each message sent, and allocate nothing sized by a number from
// the wire. The id of the game is no secret; everybody who connects to the game's
// port can get it.
//
// An [HTTPHost] is the same for HTTP lobbies. A [Host] with its field HTTP set announces
// the game at both.
//
// # Listing
//
// A [Client] gets the list of any lobby since 2005. Its address says how: host:port, or
// a URL. [Client.Join] gets the address of a game at an HTTP lobby.
//
// Of a lobby of the game, it reads the second batch if there is one. Lobbies before
// 2020 may leave the connection open without marking the end of the list. So a list
// is also complete after 2.5 s without a byte at a place where a reply may end, and a
// list from such a lobby takes 2.5 s longer. Anywhere else a pause may last 5 s, and
// a whole request 50 s. More than Options.MaxGames games (1024 a batch) or texts
// longer than 64 KiB are refused before they are read; a list takes less than 4 MB,
// and the lists of 64 lobbies are cached. The cost of reading is linear in the bytes,
// however small the pieces.
//
// Everything in a listing except Host is claimed by the game's host; Host is set by
// the lobby, if it is honest. Nothing proves the identity of a lobby.
//
// # Proposals
//
// [ProposalLobby] and [JSONLobby] answer each request, in order. Bad content within
// a whole message is answered with an Error and the connection goes on, up to 16
// times; the connection ends where the start of the next message cannot be found. A
// request has up to 1 KiB of text, 257 bytes of binary or 4 KiB of JSON.
//
// A game outlives its connection. In the text and binary proposals it stays for 10
// minutes after the last OpenGame or StartGame; in the JSON proposal for 120
// seconds after the last heartbeat, which is sent every 30 seconds. The text and
// binary proposals identify a game by the address and port of its host, so programs
// behind the same address may close it. The JSON proposal identifies it by a secret
// id; there a game is always at port 2100, so there can be one game per address.
//
// In names, maps and techs, control characters become spaces, and bytes that are
// not UTF-8 become U+FFFD. Names have up to 124 bytes and maps 64, which fit a
// frame of the binary proposal. A list has the first 1023 games, or in JSON as many
// as fit 64 KiB, some 500; a filter of up to 8 objects applies to all games. JSON
// cannot express that a game has started, so it leaves out these games.
//
// Unlike a Lobby, these servers do not check whether a game can be reached: the
// proposals have no way to tell the game from another program.
//
// [ProposalClient] and [JSONClient] make a connection for each request, as the
// proposals keep no state of a connection. [ProposalHost] and [JSONHost] keep a
// game listed: they announce it again before it expires, and also to a lobby that
// has forgotten it or was down.
//
// # Misuse
//
// A negative value of a field means its default, as 0 does, except for ListEvery of
// clients. Run of a host fails at once if Set was not called or Addr is not
// host:port.
//
// # Sharing
//
// With a [Store], nodes share one list: each Games holds all of it in memory, sends
// its own games to the Store and receives those of the others. The games of a dead
// node expire. A game is changed and closed at the node that opened it, so hosts of
// the proposals, which connect for each request, must reach the same node; opening
// a game again at another node moves it there.
//
// # Safety
//
// Nothing is encrypted, and anybody can list games: use a TLS listener where both
// ends support it. Lists contain text from hosts, so escape it before you show it.
// The ids of a Lobby are random numbers, but not secret, because lists contain
// them; they prove only that a game answers at its address.
//
// An HTTPLobby connects only to the address from which the host names a port, once for
// each request, and sends some 100 bytes there. It gives the address of a host to
// everybody who wants to join. Requests about a game need its host's token. Requests
// have rate limits for each source, each prefix and in total, and bodies are limited to
// 64 KiB. A game's key is what its host says: clients check it when they join.
//
// The Lobby connects only to addresses that have connected to it, and sends 8 bytes
// there. A connection may make a burst of 16 requests and then 5 a second; further
// requests wait. Lists of a JSONLobby with a filter have a rate limit for each
// source, each prefix and in total. So have log lines about refused games.
//
// Limits are the same for all servers. Their defaults, and why:
//
//	First, Frame, Write   10 s    a slow line needs a second or two
//	Idle                  30 s    peers without a game have nothing to wait for
//	MaxConns              20 000  some 300 MB, see Memory
//	MaxPerAddress         64      a house or an office behind one address; it is
//	                              an IPv4 address or an IPv6 /64
//	MaxPerPrefix          512     an IPv4 /24 or an IPv6 /48, of one provider
//	MaxBuffered           16 MiB  messages longer than usual, of all connections
//	MaxGames              16 384  leaves connections for clients
//	MaxListed             1024    835 KB, and what clients read by default
//
// The limits of an HTTPLobby are those of its Server and of the listeners that its Limit
// returns: 5 s for a header, 10 s for a request, 75 s of silence, and the numbers of
// connections above. Rates, a second, for a source, a prefix and in total:
//
//	lists                        8, 80, 2000      a player refreshes by hand
//	new games, and addresses     8, 40, 400       a host sends three once
//	other requests of hosts      64, 512, 20 000  64 games, one request in 8 s each
//	players who join             8, 80, 2000      a player sends two
//	games not published          64, 512, 4096    at any time, for 20 s
//	checks of addresses          256              at any time, for 5 s
//
// # Memory
//
// A host takes 10 KiB, and up to 14 KiB under many lists and updates: a goroutine,
// a buffer of 64 bytes while it is idle, and its game. That is measured with ten
// thousand hosts and Go's default garbage collector settings. Records are encoded
// when a game changes and shared by all connections that read lists, so a list
// takes only the system's buffers. A slow client gets the list as it was at the
// time of the request, up to 835 KB, and is dropped if it reads less than 64 KiB of
// it in 10 seconds, or 128 KiB in 20 over TLS.
//
// A game of an HTTPLobby takes 2.3 KiB without connection, of these 0.4 KiB for its line
// in the list: measured with ten thousand games. The lines of a list are one piece of
// memory, which is made anew after a change, in at most a tenth of the time: so with ten
// thousand games a list may be 10 ms old. Five thousand hosts that send a change every
// 8 s, and four whole lists a second, take 5 % of one core. With their connections, which
// net/http keeps open, they take 267 MB. The limits of an HTTPLobby take 1.2 MB.
//
// A server of a proposal that has sent a list keeps a row for each game, of 50 to
// 300 bytes, and the last list.
package warzonenet
