// Package wzhttp encodes and decodes the lobby protocol of Warzone 2100 4.7: JSON over
// HTTP or HTTPS. Clients 2.0 to 4.6 use the binary protocol of package warzone.
//
// The package covers the bodies of requests and answers, a reader for the list, the probe
// with which a lobby checks a host, and the game's rules for paths, headers, HTTP statuses
// and times. It does not use net/http.
//
// # Flow
//
//	host                                    lobby
//	  | POST game: Create                     |
//	  |-------------------------------------->|
//	  |                               Created |
//	  |<--------------------------------------|
//	  | POST game/ID/connection: Connection   |   one over each address family
//	  |-------------------------------------->|
//	  |                                Status |
//	  |<--------------------------------------|
//	  |                                 Probe |   TCP, on the game port
//	  |<--------------------------------------|
//	  | ProbeReply                            |
//	  |-------------------------------------->|
//	  | PATCH game/ID: Patch                  |   see KeepAlive and CheckIn
//	  |-------------------------------------->|
//	  |                                Status |   published: the game is listed
//	  |<--------------------------------------|
//	  | POST game/ID/check-join-request:      |   when a player connects
//	  | JoinCheck                             |
//	  |-------------------------------------->|
//	  |                               Verdict |
//	  |<--------------------------------------|
//	  | DELETE game/ID                        |   with ?started=1 if the game starts
//	  |-------------------------------------->|
//
//	client                                  lobby
//	  | GET games                             |
//	  |-------------------------------------->|
//	  |                     ListHeader, Games |
//	  |<--------------------------------------|
//	  | POST game/ID/request-join:            |   over each address family
//	  | JoinRequest                           |
//	  |-------------------------------------->|
//	  |                             JoinReply |   or an Error with a Captcha
//	  |<--------------------------------------|
//
// The client then connects to an [Address] of the JoinReply and sends the host its token.
// The lobby refuses a request with an HTTP status that the endpoint does not accept, and an
// [Error]. A [Created] contains two secrets: the host sends one in all further requests,
// see [Authorization], and the lobby sends the other in a [Probe].
//
// A list contains no addresses: the lobby gives them only to joiners. The address of a host
// is the source address of its requests.
//
// A host of Warzone 4.7 ends its listing after nearly any failure; see
// [Endpoint.Tolerates]. A lobby that restarts must therefore answer with status 429 until
// it has restored its games and their tokens.
//
// # Wire format
//
// A body is a JSON object in UTF-8. A list consists of lines, each an object and a line
// feed. The tags of a type's fields name its members. The section Messages, at the end,
// shows an example of each. The member map is an array of a name and a hash, and netv is an
// array of two numbers.
//
// A [Probe] and a [ProbeReply] consist of a binary header, with big-endian numbers,
// and JSON. The first 8 bytes of a Probe are zero, so that a host can distinguish it
// from a player.
//
// # Sources
//
// The source code of release 4.7.0, and recordings of that client with our lobby; the
// golden files state which bodies the client sent. There is no specification and no public
// source code of a lobby, so answers are defined by what the client accepts.
//
// # Strictness
//
//	                                  by default      Options.Strict
//	unknown member                    Extra           Extra
//	member in another case            unknown         unknown
//	cur, specs, ally, lim missing     0               ErrInvalid
//	number such as 4.0 or 1e2         accepted        accepted
//	8 or 32-bit number out of range,
//	4.5, true                         cast            ErrInvalid
//	null                              ErrInvalid      ErrInvalid
//	duplicate member                  the last counts ErrInvalid
//	unknown member nested deeper than
//	32 levels                         Extra           ErrTooLarge
//	unknown ally, blind, lim          kept            kept
//	unknown method or family of a
//	connection, status or policy      kept            ErrInvalid
//	id that is not valid, see ValidID kept            ErrInvalid
//	empty gameId or hostToken         ErrInvalid      ErrInvalid
//	malformed pk or hash              kept            ErrInvalid
//	long name or message of the day   kept            ErrTooLarge
//	hostJoinOpts not an array         ignored         ErrInvalid
//	address without host or port      ErrInvalid      ErrInvalid
//	comments, BOM, invalid UTF-8      ErrInvalid      ErrInvalid
//
// Encoding refuses what Strict refuses. Before a lobby accepts a [Create], it should
// therefore append the [Game] and check the error. Zero members of a [Room] are appended or
// omitted as the game does.
//
// The last of duplicate members counts, as in the game, with two exceptions: each of them
// must be valid, and a line must not contain the types of both a header and a game. In a
// Probe and a ProbeReply duplicates are errors.
//
// # Limits
//
// The comments of the constants distinguish the game's limits from ours. A lobby should set
// MaxBody to 64 KiB. Unknown members are nested to at most 1000 levels, or 32 when encoding
// and with Options.Strict; the game has no limit.
//
// # Quirks
//
// The game cannot make a private game public, remove all mods, or show hidden players: its
// Patch lacks the member, and so does the result of [Diff]. Other hosts can send it
// (testdata/golden/patch_full.hex).
//
// The game ignores unknown names in hostJoinOpts (created.hex), and ignores the member
// if it is not an array (created_options.hex).
//
// The game casts numbers without a check, so it shows games with numbers that do not fit:
// it reads 300 as 44 (game_range.hex), -1 as 255 (game_negative.hex), 4.9 as 4
// (game_fraction.hex) and true as 1 (game_boolean.hex).
//
// The game's JSON library takes the last of duplicate members (game_repeated.hex) and has no
// limit for nesting (game_deep.hex).
//
// A host of 4.0 to 4.6 answers the first 8 bytes of a Probe with a reply of
// version 1 (probe_reply_old.hex), which package warzone decodes as an
// AliveReply.
//
// If a Probe has the wrong token or a challenge of the wrong size (probe_short.hex),
// the host closes the connection without an answer and bans the sender for 30
// minutes.
//
// The game sends an [Attestation] and a signed ProbeReply only to the lobby of its
// developers (create_full.hex, join_slide.hex, probe_reply_signed.hex). These files are
// signed with the key that has the seed 00 01 to 1f.
package wzhttp

//go:generate go run ../../internal/wire/wiregen
