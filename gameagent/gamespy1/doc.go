// Package gamespy1 encodes and decodes the first protocol of GameSpy, text of the form
// \key\value that discovers and queries games such as Unreal, Deus Ex, Rune and Serious
// Sam. It covers queries of servers, their registration with a master (QR1), and the lists
// of masters (server browsing, version 1), which masters also exchange with each other.
//
// # Flow
//
//	client                               server, query port
//	  | Request                               |
//	  |-------------------------------------->|
//	  |                  Status               |
//	  |<--------------------------------------|  one or more packets
//
//	server                               master :27900
//	  | Heartbeat                             |
//	  |-------------------------------------->|  at the start and every 150 s
//	  |                  Secure               |
//	  |<--------------------------------------|
//	  | Validation                            |  not from Serious Sam
//	  |-------------------------------------->|
//	  |                  Request              |
//	  |<--------------------------------------|  to the query port
//	  | Status                                |
//	  |-------------------------------------->|  listed from now on
//
//	client or another master             master :28900, TCP
//	  |                  Greeting             |
//	  |<--------------------------------------|
//	  | ListRequest                           |  or a SyncRequest
//	  |-------------------------------------->|
//	  |                  ServerList           |
//	  |<--------------------------------------|  an AddressList or SyncList
//
// A master may send a server an [Echo], which it answers with an [EchoReply], or an
// [Error], which is not answered.
//
// [Validate] computes the answer to a challenge from the key of the game. The package
// contains one key, [SeriousSamKey]. The key enctype of a request selects the encryption of
// the list. Only type 0, none, is implemented. Types 1 and 2, which games such as Medal of
// Honor and Battlefield 1942 request, are left out, because there are no recorded bytes to
// check them with.
//
// The same first key starts different messages in different directions. Therefore each
// direction has a parser of its own: [ParseToMaster], [ParseToServer], and
// [ParseToListPort] for connections to a master. Servers of Serious Sam may use the
// protocol of package [github.com/lobbywire/lobbywire/gameagent] at the same port, too.
//
// # Wire format
//
// The section Messages, at the end, shows each layout.
//
// Messages are keys and values, with a backslash before each. Numbers are decimal digits.
// Text has no terminator and no escapes, and the protocol does not define its encoding.
//
// A [Status] consists of its own pairs, those of the players, and the end mark \final\,
// which a query ID may follow. In a status of several packets, each contains a query ID
// with the number of the packet.
//
// The addresses in a [ServerList] are binary, with ports in big-endian. Lists contain the ports
// for queries: see [GamePort].
//
// # Sources
//
// The sources are Engine/GameAgent/GameAgent.cpp of Serious Engine 1.10, as published by
// Croteam and in the port by ptitSeb; and, for what Serious Sam does not send,
// openspy-core, Masterserver-Qt5 of 333networks, and the scripts UBrowserGSpyLink and
// UdpGamespyQuery of Unreal and its successors.
//
// # Strictness
//
//	                                     by default       Options.Strict
//	keys of a Status in capitals, its
//	  first backslash missing            accepted         accepted
//	number with blanks, zeros, a plus    accepted         accepted
//	not a number or flag                 Extra            Extra
//	odd number of keys and values        Partial          Partial
//	zero byte after the end mark or the
//	  query ID, end mark without a value
//	  before it                          ignored          ignored
//	bytes around a Request               ignored          ErrInvalid, ErrTrailing
//	bytes around a Greeting              ignored          ErrInvalid, ErrTrailing
//	bytes after a Secure, an Echo, an
//	  Error, a list or a request for one ignored          ErrTrailing
//	doubled backslash in these requests,
//	  blanks after the first end mark    ignored          ignored
//	address that is not IPv4 in an
//	  AddressList, SyncList              Extra            Extra
//	end mark of a Validation or an
//	  EchoReply missing                  accepted         accepted
//	count differs from the players       kept             kept
//	text that is not UTF-8               kept             kept
//
// Numbers and flags of keys have the forms that [lobbywire.View] describes. A missing or
// invalid number is nil, not 0. If a key is repeated, its first value counts, or the first
// that is not empty for a text. Other values go to Extra and are appended again.
//
// # Limits
//
// Encoders respect the limit of known receivers, [MaxPacket]. Decoders accept longer
// messages, with up to [MaxPlayers] players or [MaxServers] servers. An [Assembler] holds up
// to [MaxPackets] packets and a total of [MaxAnswer] bytes. A line on a connection has up to
// [MaxLine] bytes. A client stops reading a list as text after [MaxText] bytes: see
// [IsTextComplete].
//
// # Quirks
//
// Unreal and its successors send numbers with a blank before them and flags as words
// (status_ping_blank.hex, status_password_true.hex). A negative ping means that there is
// none (status_unreal.hex).
//
// netPanzer leaves out the first backslash (status_netpanzer.hex). A backslash in
// a value makes the number of keys and values odd (status_odd.hex): see
// Status.Partial. In Shift-JIS and GBK the second byte of a character may be a
// backslash, so names in these code pages are cut, as in the games.
//
// Battlefield 1942 sends players who have left after the others (status_bf1942.hex,
// status_bf1942_left.hex). Other games have players, spectators and bots beyond numplayers,
// anywhere in the list: Unreal Tournament (status_ut_spectator.hex, status_ut_bots.hex) and
// SWAT 4 (status_swat4_viewers.hex). Players in a deathmatch of Unreal Tournament have team
// 255, as spectators do (status_ut_deathmatch.hex), in Unreal Tournament 2004 team 0
// (status_ut2004.hex): see [Status.View]. Battlefield 1942 sends the names of teams. The
// keys of teams differ in games with GameSpy's own code (status_team_t.hex,
// status_team_t_from_1.hex) and in Tactical Ops (status_tname.hex).
//
// Descent 3 sends its end mark without a value before the query ID, and a zero byte after
// it (status_descent3.hex, validation_descent3.hex), in all packets of an answer. It loses
// a pair between two packets. Renegade also ends all packets with a zero byte
// (status_zero_end.hex). Medal of Honor numbers the packets of an answer from 0, mods of
// SWAT 4 without a dot (status_number_1.hex, status_number_2.hex), and the mod AdminMod at
// their starts (status_adminmod_0.hex, status_adminmod_1.hex, status_adminmod_eof.hex): see
// [Assembler].
//
// The master of 333networks adds an end mark to its greeting (greeting_final.hex), which
// may arrive after the challenge and then looks like an empty list: see [CutEnd]. Unreal
// adds a backslash to its heartbeat (heartbeat_unreal.hex), and some clients a backslash
// between the parts of their request (list_request_333networks.hex). Unreal sends the
// second part of its request two seconds after the first (list_request_unreal.hex).
//
// Servers of Unreal answer a status request with a challenge in one message
// (status_validation.hex): see [Status.Validation].
//
// The master openspy-core adds the end mark of answers to its queries and challenges
// (request_final.hex), and expects a text of the query in the answer
// (request_echo_openspy.hex). Other masters and clients may end messages with a zero byte
// (secure_zero.hex, list_request_zero.hex), including greetings, as UMSE does.
//
// The request of another master has no end mark (sync_request.hex), so more bytes of its
// last value may follow in a stream.
//
// If the address and port of a server in a ServerList spell the end mark, the
// list ends there (server_list_end.hex).
package gamespy1

//go:generate go run ../../internal/wire/wiregen
