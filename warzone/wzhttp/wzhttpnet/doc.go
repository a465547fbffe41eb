// Package wzhttpnet provides the lobby, the host and the client of Warzone 2100 4.7 and
// later, whose protocol runs over HTTP. Package wzhttp is the codec. The [Lobby] shares its
// games with lobbies for earlier versions, in package warzonenet.
//
// # Flow
//
// A [Lobby] is an http.Handler, so it can share a port with other pages, and run
// behind a proxy. Package wzhttp shows the requests. The lobby connects to each address
// that a host announces, and publishes the game once one of them has answered.
//
// The list contains no addresses. The answer to a player who joins a game contains the
// addresses of its host and a token, and the host asks the lobby to check the token. A
// token is valid for two minutes, for one game, for one role (player or spectator), and for
// the first player who uses it. It is not bound to an address, because the lobby and the
// host may see different addresses of the player. The nodes of a Store inform each other
// about used tokens, and the Store keeps this information across a restart. A second player
// can therefore use a token only if the host asks another node about that player within
// about a second, or after 128 other players have joined the same game.
//
// A host of Warzone 4.7 ends its listing permanently after any error except status 429,
// after which it retries for up to two minutes. A lobby should therefore keep its socket
// open across a restart, for example through systemd, and answer 429 until it is ready.
// Tokens are derived from a Key and stay valid as long as the Key and the games are kept. A
// host may send its requests to any node of a Store; for 15 seconds a node answers 429 to a
// host whose game it has not received yet.
//
// Nodes also share unpublished games, so a host may move to another node before its game is
// published, and a lobby restarted with its Store, or with the same Games, continues with
// these games. If a node is killed, changes that its Store has not received yet are lost,
// and the hosts of these games give up.
//
// A Lobby sends a Probe to published games, too, about every two minutes. A game that does
// not answer four consecutive Probes, over several minutes, is withheld from all lists
// until it answers at one of its addresses; see package warzonegames. Meanwhile the answer
// to its host reports [wzhttp.ValidationError] for each address, but still Published,
// because otherwise a host of 4.7 ends its listing permanently.
//
// A game expires 90 seconds after the last request of its host, or after 20 if it is
// unpublished. Clients show only the first 200 games of the list, so games that were opened
// through a Lobby come first. Clients that accept gzip, such as the game, get a compressed
// list of a fifth of the size.
//
// A game embeds a [Host]. Set or SetView describes the game, and Run keeps it announced.
//
// A [Client] fetches the list, and [Client.Join] fetches the addresses of a game.
//
// With the field Earlier, a Host announces the game to a lobby for versions before 4.7, too, and
// a Client lists such lobbies.
//
// # Reading the lobby
//
// A request of a host passes through these files, in this order:
//
//	listener.go       connections, and their limits
//	handler.go        the form of the path
//	lobby_server.go   the number of requests at the same time
//	lobby_serve.go    the route, the client, and the next steps
//	lobby_limits.go   the rate limits
//	lobby_request.go  the body
//	lobby_host.go     the game, if the request has its token, and what the host requests
//	lobby_check.go    the check of an address, in the background
//	lobby_address.go  the addresses of the game in the answer
//	lobby_answer.go   the answer, or the refusal
//
// lobby_player.go takes the place of lobby_host.go for requests of and about players, and
// lobby_list.go for the list. Below them are lobby_checks.go, with the running checks,
// tokens.go, and room.go, which converts a game to the form that all lobbies share.
//
// The Lobby has no table of games. [warzonegames.Games] holds each game from its
// announcement to its end: POST /game announces it, and the PATCH after a successful check
// publishes it.
//
// # Safety
//
// Anybody can list games: use TLS where both ends support it. A Lobby connects only to the
// source address of the host's request, once for each request and then every two minutes,
// and sends about 100 bytes there. It gives the address of a host to everybody who wants to
// join. Requests about a game need its host's token, and bodies are limited to 64 KiB. A
// game's public key is a claim of its host; clients check it when they join.
//
// # Limits
//
// Connections have the limits of warzonenet.Lobby, with status 429 beyond them, and the
// deadlines of [Lobby.Server]. A negative value in Limits allows nothing. Unless NoRates is
// set, requests have rate limits, in requests a second:
//
//	                                        of a source  of a prefix  in total
//	lists                                             8           80      2000
//	new games, and addresses to check                 8           40       400
//	other requests of hosts                          64          512    20 000
//	requests of players to join                       8           80      2000
//
// Players can therefore refresh the list by hand and send two requests to join, and hosts
// can send three requests for a new game and then one every 8 s for each of 64 games.
// Beyond a limit the answer is 429, after which real hosts and clients wait. The request
// that closes a game has no limit, because hosts send it only once.
//
// There may be 4096 unpublished games, 64 of a source and 512 of a prefix. Package
// warzonegames limits checks.
//
// # Memory
//
// A game takes 1.4 KiB without its connection, including 0.3 KiB for its line in the list,
// and 1 KiB more once a warzonenet.Lobby lists it. The list is one block of memory.
// Rebuilding it after changes takes at most a tenth of the time, so with 10 000 games a
// list may be 10 ms old. The same applies to compressing it, which takes about 1 ms for
// 1024 games, 272 KB, and 30 ms for 10 000 games. Compressing needs 1.2 MB. With 5000 hosts
// that send a change every 8 s, and four full lists a second, the lobby takes 5 % of one
// core and 267 MB, including the connections, which net/http keeps open. The rate limits of
// a Lobby take 1.2 MB.
package wzhttpnet
