// Package wzhttp encodes and decodes the lobby protocol of Warzone 2100 4.7: JSON over
// HTTP or HTTPS. Clients 2.0 to 4.6 use the binary protocol of package warzone.
//
// The package has the bodies, the list and its reader, the look at a host, and what
// the game does with paths, headers, statuses and times. It does not use net/http.
//
// # Flow
//
//	host                                    lobby
//	  | POST game: Create                     |
//	  |-------------------------------------->|
//	  |                               Created |
//	  |<--------------------------------------|
//	  | POST game/ID/connection: Connection   |   one over each family of addresses
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
//	  | POST game/ID/check-join-request:      |   a player has connected
//	  | JoinCheck                             |
//	  |-------------------------------------->|
//	  |                               Verdict |
//	  |<--------------------------------------|
//	  | DELETE game/ID                        |   ?started=1 if the game starts
//	  |-------------------------------------->|
//
//	client                                  lobby
//	  | GET games                             |
//	  |-------------------------------------->|
//	  |                     ListHeader, Games |
//	  |<--------------------------------------|
//	  | POST game/ID/request-join:            |   over each family of addresses
//	  | JoinRequest                           |
//	  |-------------------------------------->|
//	  |                             JoinReply |   or an Error with a Captcha
//	  |<--------------------------------------|
//
// Then the client connects to an [Address] and shows the host its token. Requests that
// are refused have another status and an [Error]. A [Created] has two secrets: the host
// sends one in all its requests, see [Authorization], and the lobby sends the other in a
// [Probe].
//
// A listed game has no address: a lobby gives it to joiners only. It takes the address
// of a host from the connections of its requests.
//
// A host of the game treats any failure as final: see [Endpoint.Tolerates]. A lobby that
// restarts must know its games and their tokens before it answers, and answers with
// status 429 until then.
//
// # Wire format
//
// A body is a JSON object in UTF-8. A list has one object on each line, which ends with a
// line feed. The tags of the fields of each type name its members; Messages, at the end
// of this documentation, shows an example of each. Map is an array of a name and a
// hash, and netv one of two numbers.
//
// A [Probe] and a [ProbeReply] are JSON after a binary header, of big-endian numbers.
// The first 8 bytes of a Probe are zero, so that a host can tell it from a player.
//
// # Sources
//
// The source of release 4.7.0, and recordings of that client against a lobby of ours:
// golden files say which bodies are the client's. There is no document and no public
// source of a lobby, so a lobby's answers are those that the client accepts.
//
// # Strictness
//
//	                                  by default      Options.Strict
//	unknown member                    Extra           Extra
//	member in another case            unknown         unknown
//	cur, specs, ally, lim missing     0               ErrInvalid
//	number such as 4.0 or 1e2         accepted        accepted
//	number out of range, 4.5, true    ErrInvalid      ErrInvalid
//	null                              ErrInvalid      ErrInvalid
//	duplicate member                  ErrInvalid      ErrInvalid
//	unknown ally, blind, lim          kept            kept
//	unknown method or family of a
//	connection, status or policy      kept            ErrInvalid
//	id that is not valid, see ValidID kept            ErrInvalid
//	empty gameId or hostToken         ErrInvalid      ErrInvalid
//	pk or hash with a wrong form      kept            ErrInvalid
//	long name or message of the day   kept            ErrTooLarge
//	hostJoinOpts not an array         ignored         ErrInvalid
//	address without host or port      ErrInvalid      ErrInvalid
//	comments, BOM, invalid UTF-8      ErrInvalid      ErrInvalid
//
// Encoding refuses what Strict refuses. A lobby should therefore append the [Game] of
// a [Create] before it accepts that. Members of a [Room] that are zero are appended or
// left out as by the game.
//
// The game casts numbers without a check, reads 300 as 44, and takes booleans as
// numbers. Of a duplicate member it takes the last. No lobby should depend on either, so
// both are errors here; a [ListReader] skips such a line.
//
// # Limits
//
// See the constants, which say what is a limit of the game and what is ours. A lobby
// should set MaxBody to [MaxRequest].
//
// # Quirks
//
// A Patch of the game cannot make a private game public, remove all mods, or show
// players that were hidden: [Diff] leaves the member out, as the game does. Other hosts
// can send it (testdata/golden/patch_full.hex).
//
// The game ignores unknown names in hostJoinOpts (created.hex), and a value there that
// is not an array (created_options.hex).
//
// A host of 4.0 to 4.6 answers the first 8 bytes of a Probe with version 1
// (probe_reply_old.hex), which package warzone decodes as an AliveReply.
//
// A host closes a connection without an answer if the token is not that of its lobby
// or the challenge has a wrong size (probe_short.hex), and bans the sender for 30
// minutes.
//
// The game sends an [Attestation] and a signed ProbeReply to the lobby of its developers
// only. The vectors are in create_full.hex, join_slide.hex and probe_reply_signed.hex;
// their key is that of the seed 00 01 to 1f.
package wzhttp

//go:generate go run ../../internal/shells
