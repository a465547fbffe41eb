// Package gameagent encodes and decodes GameAgent, the protocol for discovering
// and querying game servers of Serious Sam and other games on Serious Engine 1.
// It has two forms: the native form over UDP, and the legacy form, which is the
// first protocol of GameSpy. A server uses one of them, by default the legacy
// form.
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
// The legacy form is also that of Unreal, Deus Ex, Rune and many other games, and of
// the masters that list them today. It has the same roles:
//
//	server                               master :27900
//	  | LegacyHeartbeat                       |
//	  |-------------------------------------->|  at the start and every 150 s
//	  |                  LegacySecure         |
//	  |<--------------------------------------|
//	  | LegacyValidation                      |  not from Serious Sam
//	  |-------------------------------------->|
//	  |                  LegacyRequest        |
//	  |<--------------------------------------|  to the query port
//	  | LegacyStatus                          |
//	  |-------------------------------------->|  listed from now on
//
//	client or another master             master :28900, TCP
//	  |                  LegacyGreeting       |
//	  |<--------------------------------------|
//	  | LegacyListRequest                     |  or a LegacySyncRequest
//	  |-------------------------------------->|
//	  |                  LegacyServerList     |
//	  |<--------------------------------------|  a LegacyAddressList or LegacySyncList
//
// A client sends a [LegacyRequest] to the query port of a server, which answers with
// a [LegacyStatus]. A master may send a [LegacyEcho], which a server answers with a
// [LegacyEchoReply], or a [LegacyError], which is not answered.
//
// [LegacyValidate] computes the answer to a challenge from the key of the game:
// [LegacyGameKey] is the key of Serious Sam; the package contains no other. The key enctype
// of a request selects how its list is encrypted. Only type 0 is implemented, which is
// plain. Types 1 and 2, which such games as Medal of Honor and Battlefield 1942 request,
// are left out: there are no recorded bytes to check them with.
//
// The same first byte starts different messages in different directions.
// Therefore there is a parser for the datagrams of each direction:
// [ParseToMaster], [ParseToServer] and [ParseFromServer]. [ParseToListPort] is for
// connections to a legacy master.
//
// # Wire format
//
// The section Messages, at the end, shows each layout.
//
// The number in a [Challenge] and the ports in a [ServerList] are little-endian.
// The ports in a [LegacyServerList] are big-endian.
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
//   - The messages of the legacy form are keys and values, with a backslash before
//     each. Answers have the pairs of the players after their own, and the end
//     mark \final\, which may be followed by a query ID. An answer of several
//     packets has a query ID in each, with the number of the packet.
//
// # Sources
//
// The sources are the document GameAgent.txt and the original master in Python;
// Engine/GameAgent/GameAgent.cpp and EntitiesMP/Player.es of Serious Engine 1.10,
// as published by Croteam and in the port by ptitSeb; ClassicsPatch by
// DreamyCecil for its variant of players; and, for what Serious Sam does not send,
// openspy-core, Masterserver-Qt5 of 333networks, and the scripts UBrowserGSpyLink and
// UdpGamespyQuery of Unreal and its successors.
//
// # Document and code differ
//
// This package follows the code of the engine and of the original master. The
// document does not mention Join, Challenge, Heartbeat, StateChanged, Ping and
// the legacy form.
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
//	what is no number or flag            Extra            ErrInvalid
//	unknown key of Players               Extra            ErrInvalid
//	control character in a name          kept             ErrInvalid
//	players in the legacy form           accepted         ErrInvalid
//	keys of a LegacyStatus in capitals,
//	  its first backslash missing        accepted         accepted
//	odd number of keys and values        Partial          Partial
//	zero byte after the end mark or the
//	  query ID, end mark without a value
//	  before it                          ignored          ignored
//	bytes around a LegacyRequest         ignored          ErrInvalid, ErrTrailing
//	bytes around a LegacyGreeting        ignored          ErrInvalid, ErrTrailing
//	bytes after a LegacySecure, a
//	  LegacyEcho, a LegacyError, a
//	  legacy list or a request for one   ignored          ErrTrailing
//	doubled backslash in these requests,
//	  blanks after the first end mark    ignored          ignored
//	address that is not IPv4 in a
//	  LegacyAddressList, LegacySyncList  Extra            Extra
//	end mark of a LegacyValidation or a
//	  LegacyEchoReply missing            accepted         accepted
//	count differs from the players       kept             kept
//	bytes after Players                  ErrTrailing      ErrTrailing
//	text that is not UTF-8               kept             kept
//
// Numbers and flags of keys are read as [lobbywire.Number] and [lobbywire.Bool] read
// them, except the challenge of a Heartbeat, which counts only as the engine sends it. A
// number that is missing or none is nil, not 0. The first value of a repeated key
// counts, except that an empty text gives way to a later one. Other values go to Extra
// and are appended again.
//
// # Limits
//
// Encoders respect the limits of known receivers: [MaxHeartbeat],
// [MaxListEntries] and [MaxPacket]. Decoders accept longer messages, with up to
// [MaxPlayers] players or [MaxServers] servers. The assemblers of players hold up
// to [MaxPackets] packets and a total of [MaxAnswer] bytes. A line on a legacy
// connection has up to [MaxLegacyLine] bytes. A client stops reading
// a list as text after [MaxLegacyText] bytes: see [IsLegacyTextComplete].
//
// # Quirks
//
// The native list contains the ports of games; [QueryAddr] returns the address
// for queries. A server that sends from port 1 is listed with port 0
// (testdata/golden/server_list_port0.hex). The legacy list contains the ports for
// queries, in the other byte order.
//
// An empty datagram terminates the original master (empty.hex).
//
// Unreal and its successors send numbers with a blank before them and flags as words
// (legacy_status_ping_blank.hex, legacy_status_password_true.hex). A ping may be
// negative, which is none (legacy_status_unreal.hex).
//
// netPanzer leaves out the first backslash (legacy_status_netpanzer.hex). A backslash in
// a value makes the number of keys and values odd (legacy_status_odd.hex): see
// LegacyStatus.Partial. In Shift-JIS and GBK the second byte of a character may be a
// backslash, so names in these code pages are cut, as in the games.
//
// Battlefield 1942 sends players who have left after the others (legacy_status_bf1942.hex,
// legacy_status_bf1942_left.hex). Other games have players, spectators and bots beyond
// numplayers, anywhere in the list: Unreal Tournament (legacy_status_ut_spectator.hex,
// legacy_status_ut_bots.hex) and SWAT 4 (legacy_status_swat4_viewers.hex). Players in a
// deathmatch of Unreal Tournament have team 255, as spectators do
// (legacy_status_ut_deathmatch.hex), in Unreal Tournament 2004 team 0
// (legacy_status_ut2004.hex): see [LegacyStatus.View]. Battlefield 1942 sends the names of
// teams. The keys of teams are others in games
// with GameSpy's own code (legacy_status_team_t.hex, legacy_status_team_t_from_1.hex) and
// in Tactical Ops (legacy_status_tname.hex).
//
// Descent 3 sends its end mark without a value before the query ID, and a zero byte after it
// (legacy_status_descent3.hex, legacy_validation_descent3.hex), in all packets of an answer.
// It loses a pair between two packets. Such a zero byte is in all packets of Renegade too
// (legacy_status_zero_end.hex). Medal of Honor numbers the packets of an answer from 0, mods of
// SWAT 4 without a dot (legacy_status_number_1.hex, legacy_status_number_2.hex), and the mod
// AdminMod at their starts (legacy_status_adminmod_0.hex, legacy_status_adminmod_1.hex,
// legacy_status_adminmod_eof.hex): see [LegacyAssembler].
//
// The count of players can exceed the number of records. The engine looks at as
// many slots as there are players, but players who leave create empty slots
// (players_3_odd_slots.hex, players_1_slot1.hex).
//
// The engine puts names between ^o and ^r (players_1.hex); older servers do not
// (players_1_plain.hex). A name with a control character or a byte of 0x80 or
// above is replaced as a whole (players_newline.hex, players_control.hex,
// players_highbyte.hex): see [WireName].
//
// Only the first packet of players has the header (players_split_last.hex). The
// end mark can be the 2049th byte of a packet (players_exact2048.hex).
//
// ClassicsPatch sends players in the legacy form between the native header and
// end mark (players_backslash.hex).
//
// A semicolon in the session name is part of the name
// (status_session_semicolon.hex), although the engine's own client does not show
// such a name. A semicolon in another value shifts all later keys and values,
// which cannot be detected (status_level_semicolon.hex).
//
// Old builds for Linux cut a status at 255 bytes (status_cut.hex,
// status_cut_early.hex): see Status.Cut.
//
// The master of 333networks adds an end mark to its greeting
// (legacy_greeting_final.hex), which may arrive later than the challenge and looks like
// an empty list then: see [CutLegacyEnd]. Unreal adds a backslash to its heartbeat
// (legacy_heartbeat_unreal.hex), and some clients a backslash between the parts of
// their request (legacy_list_request_333networks.hex). Unreal sends the second part of
// its request two seconds after the first (legacy_list_request_unreal.hex).
//
// Servers of Unreal answer a status request with a challenge in one message
// (legacy_status_validation.hex): see [LegacyStatus.Validation].
//
// The master openspy-core adds the end mark of answers to its queries and challenges
// (legacy_request_final.hex), and expects a text of the query in the answer
// (legacy_request_echo_openspy.hex). Other masters and clients may end messages with a zero
// byte (legacy_secure_zero.hex, legacy_list_request_zero.hex), also their greetings, as UMSE
// does.
//
// The request of another master has no end (legacy_sync_request.hex), so more bytes of
// its last value may follow in a stream.
//
// If the address and port of a server in the legacy list spell the end mark, the
// list ends there (legacy_server_list_end.hex).
package gameagent

//go:generate go run ../internal/wire/wiregen
