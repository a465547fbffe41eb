// Package gameagent encodes and decodes GameAgent, the protocol over UDP for discovering
// and querying game servers of Serious Sam and other games on Serious Engine 1. A server
// uses either it or, by default, the first protocol of GameSpy, which is package
// [github.com/lobbywire/lobbywire/gameagent/gamespy1].
//
// # Flow
//
//	server                               master :9005
//	  | Join                                  |
//	  |-------------------------------------->|
//	  |                  Challenge            |
//	  |<--------------------------------------|
//	  | Heartbeat        challenge            |
//	  |-------------------------------------->|  listed from now on
//	  | Heartbeat        0                    |
//	  |-------------------------------------->|  every 150 s; expires after 300 s
//	  | StateChanged                          |
//	  |-------------------------------------->|  a player has joined
//
//	client                               master :9005
//	  | ListRequest                           |
//	  |-------------------------------------->|
//	  |                  ServerList           |
//	  |<--------------------------------------|  one or more packets
//
//	client                               server, game port + 1
//	  | StatusRequest                         |
//	  |-------------------------------------->|
//	  |                  Status               |
//	  |<--------------------------------------|
//	  | PlayersRequest                        |
//	  |-------------------------------------->|
//	  |                  Players              |
//	  |<--------------------------------------|  one or more packets
//	  | PingRequest                           |
//	  |-------------------------------------->|
//	  |                  Ping                 |
//	  |<--------------------------------------|
//
// The master treats a Heartbeat or StateChanged from an unknown server as a Join.
// Unknown datagrams are not answered.
//
// The same first byte starts different messages in different directions. Therefore each
// direction has a parser of its own: [ParseToMaster], [ParseToServer] and
// [ParseFromServer]. At a port that receives both protocols, pass a datagram to this
// package first, because package gamespy1 finds queries anywhere in a datagram. A datagram
// that is [Unknown] here, or for a server not [IsToServer], belongs to package gamespy1.
//
// # Wire format
//
// The section Messages, at the end, shows each layout.
//
// The number in a [Challenge] and the ports in a [ServerList] are little-endian.
//
// The other messages are text. Their numbers are decimal digits. Text has no
// terminator and no escapes, and the protocol does not define its encoding.
//
//   - [Status] and [Heartbeat] are lines of keys and values, with a semicolon
//     before each.
//   - [Players] consists of pairs: a key, the byte 02, a value and the byte 03. A
//     header with the number of players starts with the byte 01. Each player has
//     the pairs player_#, frags_# and ping_#, where # is the slot of the player on
//     the server. The byte 04 is the end mark.
//
// # Sources
//
// The sources are the document GameAgent.txt and the original master in Python;
// Engine/GameAgent/GameAgent.cpp and EntitiesMP/Player.es of Serious Engine 1.10,
// as published by Croteam and in the port by ptitSeb; and ClassicsPatch by
// DreamyCecil for its variant of players.
//
// # Document and code differ
//
// This package follows the code of the engine and of the original master. The
// document does not mention Join, Challenge, Heartbeat, StateChanged and Ping.
//
//	                       the document                the code
//	a list                 one server                  any number, up to 170 a packet
//	port in a list         a short, order not given    little-endian
//	port in a list         that for queries, 25601     that of the game, 25600
//	start of a Status      texts that start with ;     one ; before each key and value
//	separators in texts    removed from names          not removed from other texts,
//	                                                   nor escaped
//	count of players       the number of records       may exceed it
//	names                  bare                        between ^o and ^r
//	0x11 and 0x12 as name  an invalid name             0x11: a line break; 0x12: another
//	                                                   control character or a byte from
//	                                                   0x80
//	keys of a player       player_ and frags_          also ping_
//	value of frags_        kills                       kills, or the score if the game
//	                                                   uses scores
//	packets of players     end with 04 in the last     the same; only the first has the
//	                                                   header, and none is numbered
//	size of a packet       not given                   2048 bytes, and one for the 04
//
// # Strictness
//
//	                                     by default       Options.Strict
//	bytes after a request of one byte    ignored          ErrTrailing
//	bytes after a Challenge              ignored          ErrTrailing
//	incomplete server in a ServerList    ignored          ErrTruncated
//	keys of Status and Heartbeat in
//	  another order or missing           accepted         ErrInvalid
//	unknown keys of these                Extra            ErrInvalid
//	key without value at the end         empty value      ErrTruncated
//	number with blanks, zeros, a plus    accepted         ErrInvalid
//	not a number or flag                 Extra            ErrInvalid
//	unknown key of Players               Extra            ErrInvalid
//	control character in a name          kept             ErrInvalid
//	players with backslashes             accepted         ErrInvalid
//	count differs from the players       kept             kept
//	bytes after Players                  ErrTrailing      ErrTrailing
//	text that is not UTF-8               kept             kept
//
// Numbers and flags of keys have the forms that [lobbywire.View] describes, except the
// challenge of a Heartbeat, which must have the form that the engine sends. A missing or
// invalid number is nil, not 0. If a key is repeated, its first value counts, or the first
// that is not empty for a text. Other values go to Extra and are appended again.
//
// # Limits
//
// Encoders respect the limits of known receivers: [MaxHeartbeat],
// [MaxListEntries] and [MaxPacket]. Decoders accept longer messages, with up to
// [MaxPlayers] players. An [Assembler] holds up to [MaxPackets] packets and a total of
// [MaxAnswer] bytes, a [ListAssembler] up to [MaxServers] servers.
//
// # Quirks
//
// The native list contains the ports of games; [QueryAddr] returns the address
// for queries. A server that sends from port 1 is listed with port 0
// (testdata/golden/server_list_port0.hex).
//
// An empty datagram terminates the original master (empty.hex).
//
// The count of players can exceed the number of records. The engine examines as many slots
// as there are players, but players who leave create empty slots (players_3_odd_slots.hex,
// players_1_slot1.hex).
//
// The engine puts names between ^o and ^r (players_1.hex); older servers do not
// (players_1_plain.hex). A name with a control character or a byte of 0x80 or
// above is replaced as a whole (players_newline.hex, players_control.hex,
// players_highbyte.hex): see [WireName].
//
// Only the first packet of players contains the header (players_split_last.hex). The end
// mark can be the 2049th byte of a packet (players_exact2048.hex).
//
// ClassicsPatch sends players with backslashes, as in GameSpy's protocol, between the
// header and the end mark (players_backslash.hex).
//
// A semicolon in the session name is part of the name
// (status_session_semicolon.hex), although the engine's own client does not show
// such a name. A semicolon in another value shifts all later keys and values,
// which cannot be detected (status_level_semicolon.hex).
//
// Old builds for Linux cut a status at 255 bytes (status_cut.hex,
// status_cut_early.hex): see Status.Cut.
package gameagent

//go:generate go run ../internal/wire/wiregen
