// Package gameagent encodes and decodes GameAgent, by which servers of Serious
// Sam and other games on Serious Engine 1 are found and queried over UDP. A
// server speaks either the native form or, by default, the legacy form, which
// is that of GameSpy's first protocol.
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
//	  |-------------------------------------->|  a player has entered
//
//	client                               master :9005
//	  | ListRequest                           |
//	  |-------------------------------------->|
//	  |                  ServerList           |
//	  |<--------------------------------------|  one or more, until silence
//
//	client                               server, game port + 1
//	  | StatusRequest                         |
//	  |-------------------------------------->|
//	  |                  Status               |
//	  |<--------------------------------------|
//	  | PlayersRequest                        |
//	  |-------------------------------------->|
//	  |                  Players              |
//	  |<--------------------------------------|  one PlayersPacket or more
//	  | PingRequest                           |
//	  |-------------------------------------->|
//	  |                  Ping                 |
//	  |<--------------------------------------|
//
// A Heartbeat or StateChanged of a server that the master does not know works as
// a Join. What is not understood is not answered.
//
// The legacy form has the same roles: [LegacyHeartbeat] to the master at UDP
// 27900, [LegacyRequest] to the server at its query port, answered by
// [LegacyStatus], [LegacyInfo], [LegacyBasic] or [LegacyPlayers], and for the
// list a connection to the master at TCP 28900, on which follow
// [LegacyGreeting], [LegacyListRequest] and [LegacyServerList].
//
// First bytes mean different things by direction, so the parsers that take any
// datagram are called [ParseToMaster], [ParseToServer] and [ParseFromServer].
//
// # Wire format
//
// Numbers in text are decimal digits. Text is not terminated, nothing is
// escaped, and no encoding is told.
//
//	Join            StateChanged    ListRequest
//	+-----+         +-----+         +-----+
//	| 'q' |         | 'u' |         | 'e' |
//	+-----+         +-----+         +-----+
//
//	StatusRequest   PlayersRequest  PingRequest
//	+-----+         +-----+         +-----+
//	| 02  |         | 03  |         | 04  |
//	+-----+         +-----+         +-----+
//
//	Challenge, little-endian        Ping, decimal
//	 0     1                 5       0     1
//	+-----+-----------------+       +-----+---------+
//	| 01  | challenge       |       | 04  | players |
//	+-----+-----------------+       +-----+---------+
//
//	ServerList, 6 bytes a server
//	 0     1           5      7
//	+-----+ - - - - - + - - -+- - -
//	| 's' | addr      | port | ...    the game port, little-endian
//	+-----+ - - - - - + - - -+- - -
//
//	LegacyServerList, 6 bytes a server
//	 0           4      6
//	+ - - - - - + - - -+ - - +-----------+
//	| addr      | port | ... | "\final\" |   the query port, big-endian
//	+ - - - - - + - - -+ - - +-----------+
//
//	Players    01 "players" 02 count 03
//	           ["player_#" 02 name 03 "frags_#" 02 frags 03 "ping_#" 02 ping 03]...
//	           04
//
//	Heartbeat  0;challenge;...;players;...;maxplayers;...;level;...;gametype;...;version;...;product;...
//	Status     0;players;...;maxplayers;...;level;...;gametype;...;version;...;gamename;...;sessionname;...
//
// The answers of the legacy form are keys and values, then players, then an end:
//
//	LegacyStatus   \gamename\...\gamever\...\player_0\...\frags_0\...\ping_0\...\final\\queryid\333.1
//	LegacyInfo     \hostname\...\hostport\...\final\\queryid\8.1
//	LegacyBasic    \gamename\...\gamever\...\location\...\final\\queryid\1.1
//	LegacyPlayers  \player_0\...\frags_0\...\ping_0\...\final\\queryid\6.1
//
// The types show the rest.
//
// # Sources
//
// GameAgent.txt, the original master in Python, Engine/GameAgent/GameAgent.cpp
// and EntitiesMP/Player.es of Serious Engine 1.10, as published by Croteam and
// in the port by ptitSeb; ClassicsPatch by DreamyCecil for its variant. Where the
// document and the code differ the code counts.
//
// # Strictness
//
//	                                     by default       Options.Strict
//	bytes after a request of one byte    ignored          ErrTrailing
//	bytes after a Challenge              ignored          ErrTrailing
//	tail of a ServerList                 ignored          ErrTruncated
//	keys of Status and Heartbeat in
//	  another order, missing, unknown    taken, Extra     ErrInvalid
//	key without value at the end         empty value      ErrTruncated
//	number that is none                  Extra            ErrInvalid
//	key of Players that is unknown       Extra            ErrInvalid
//	control character in a name          kept             ErrInvalid
//	records with backslashes             taken            ErrInvalid
//	query of a LegacyRequest             anywhere         alone
//	what surrounds a LegacyGreeting      ignored          ErrInvalid, ErrTrailing
//	bytes after a LegacyServerList       ignored          ErrTrailing
//	count unlike the number of players   kept             kept
//	bytes after Players                  ErrTrailing      ErrTrailing
//	text that is not UTF-8               kept             kept
//
// A number is read if it has the form in which it is sent, without leading zeros
// or a plus sign. Any other value of its key goes to Extra, and is sent again.
// So does a second value of a key: the first counts, where a zero and an empty
// text do not.
//
// # Limits
//
// Encoders keep to what receivers read: [MaxHeartbeat], [MaxListEntries] and
// [MaxPacket]. Decoders take longer messages, with [MaxPlayers] players and
// [MaxServers] servers at most. An assembler takes [MaxPackets] packets of
// [MaxAnswer] bytes together. Lines of a legacy connection have [MaxLegacyLine]
// bytes at most.
//
// # Quirks
//
// The list holds game ports; queries go to the port above: [QueryAddr]. A server
// that sends from port 1 is listed with port 0
// (testdata/golden/server_list_port0.hex). The legacy list holds query ports, in
// the other byte order.
//
// An empty datagram ends the original master (empty.hex).
//
// The number of players may exceed those listed: the engine looks at as many
// slots as there are players, and players leave gaps (players_3_odd_slots.hex,
// players_1_slot1.hex).
//
// The engine sends names between ^o and ^r (players_1.hex); older servers send
// them bare (players_1_plain.hex). A name with a control character, or a byte
// from 0x80 on, is replaced as a whole (players_newline.hex,
// players_control.hex, players_highbyte.hex): see [WireName].
//
// Packets of players that follow the first have no header
// (players_split_last.hex). The end mark may be the 2049th byte
// (players_exact2048.hex).
//
// ClassicsPatch sends legacy records between the native header and end mark
// (players_backslash.hex).
//
// A semicolon in the session name is part of it (status_session_semicolon.hex),
// though the engine's own client does not show such a name. One in another value
// shifts all that follows, and nothing can tell (status_level_semicolon.hex).
//
// Old builds for Linux cut a status at 255 bytes (status_cut.hex,
// status_cut_early.hex): see Status.Cut.
//
// A server of the legacy list whose address and port spell the end of the list
// ends it (legacy_server_list_end.hex).
package gameagent

//go:generate go run ../internal/shells
