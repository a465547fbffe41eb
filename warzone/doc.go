// Package warzone encodes and decodes what Warzone 2100 and its lobby, also
// called master server, have said over TCP since 2005: the protocol of clients
// 2.0 to 4.x. Packages wztext, wzbin and wzjson beside it are three proposals
// to replace it.
//
// # Flow
//
//	host                                    lobby
//	  | GameIDRequest                         |   since 2.3
//	  |-------------------------------------->|
//	  |                GameIDReply            |
//	  |<--------------------------------------|
//	  | AddGame                               |
//	  |-------------------------------------->|   connects to the game port:
//	  |                Status                 |   AliveRequest, AliveReply
//	  |<--------------------------------------|   no Status up to 2.1
//	  | Update                                |   since 3.0; before, the host
//	  |-------------------------------------->|   connected again to add it
//	  |                Status                 |
//	  |<--------------------------------------|   since 2020
//	  | Keep                                  |   since 2020, after 25 seconds
//	  |-------------------------------------->|   of silence; no answer
//	  | end of connection: the game is gone   |
//
//	browser                                 lobby
//	  | ListRequest                           |
//	  |-------------------------------------->|
//	  |                ListReply              |
//	  |<--------------------------------------|
//
// A host of 4.x leaves if an Update is not answered within 2.5 seconds, so a
// lobby answers all of them, and a host before 2020 does not mind. The lobby
// decides what Host a game has: the address that its connection came from.
//
// [HostStream] and [LobbyStream] take the two directions of a host's connection
// apart; [ListReplyEnd] tells when a list reply can be parsed. Hosts up to 3.0
// answer ListRequest and [JoinRequest] at their own game port as well, with a
// ListReply of one game and with a [Game].
//
// # Wire format
//
// Numbers are unsigned and big-endian, in games of 2.0 clients little-endian. A
// text has a field of fixed size that is filled with zero bytes, of which there
// is at least one; its encoding is nowhere stated and is UTF-8 in 4.x.
//
//	command: addg, gaId, join, keep, list or motd
//	 0               4       5
//	+---------------+-------+
//	| letters       | 0     |   AddGame: the Game follows
//	+---------------+-------+   Update: a Game, no command in front
//
//	Game                        offset
//	                            2.0 and   since
//	                            2.1       2.2
//	+-------------------------+-------------------
//	| version, 4 bytes        |           0          2, 3 or 4
//	| name, 64                | 0         4
//	| size, 4                 | 64        68         48 or 72
//	| flags, 4                | 68        72
//	| host, 16 or 40          | 72        76
//	| maxPlayers, 4           | 88        116
//	| currentPlayers, 4       | 92        120
//	| userFlags, 4 times 4    | 96        124
//	+-------------------------+ 112
//	| see below, 319          |           140
//	| versionString, 64       |           459
//	| modList, 255            |           523
//	| netcodeMajor, 4         |           778
//	| netcodeMinor, 4         |           782
//	| private, 4              |           786
//	| pure, 4                 |           790
//	| mods, 4                 |           794
//	| gameId, 4               |           798        filler in 2.2
//	| limits, 4               |           802        filler before 3.1
//	| os, 4                   |           806        filler before 3.2
//	| netcodeWord, 4          |           810        filler before 3.2
//	+-------------------------+           814
//
//	                      2.2    2.3    since 2.3.5   4.x
//	                      v. 2   v. 3   v. 3          v. 4
//	misc, 64              140
//	secondaryHosts[0], 40        140    140           140
//	secondaryHosts[1], 40        180    180           180
//	extra                 204    220    220           220
//	hostPort, 2                                       377
//	mapName, 40                         379           379
//	hostName, 40                        419           419
//
//	Status
//	 0               4               8
//	+---------------+---------------+-----
//	| code          | length        | text
//	+---------------+---------------+-----
//
//	ListReply
//	 0               4
//	+---------------+-------+
//	| count         | Games |
//	+---------------+-------+--+
//	| Status                   |     since 3.1
//	+---------------+----------+----+-------+
//	| parameters    | count         | Games |   since 2020
//	+---------------+---------------+-------+
//
//	GameIDReply      AliveRequest          AliveReply
//	+---------------++-------------------++---------------+---------------+---------------+
//	| game id       || 8 zero bytes      || WZLR          | version, 1    | game id       |
//	+---------------++-------------------++---------------+---------------+---------------+
//
// # Sources
//
// The lobby page of the project's wiki as of April 2009; the netplay code of
// the game and its lobby scripts from 2005 to 2018, and the game's code of the
// 4.5 and 4.6 lines; its pull requests 918 and 1506; two independent lobbies,
// of 2011 and 2020; and recordings of the 4.3.3 client. The wiki calls the
// numbers both big and little-endian. Big is right.
//
// Not here: two layouts of a few days in April 2009 that no release had, with
// the version word in the middle, which are taken for one of 112 bytes; BSON
// and JSON calls behind a "version" command, of 2011, and eight-letter commands
// of 2012, neither in any release; and the JSON over HTTPS of the 2026
// development version.
//
// # Strictness
//
//	                                  by default      Options.Strict
//	command in capital letters        accepted        Unknown
//	last byte of a command            any, or none    0
//	CR, LF and NUL between requests   ignored         not expected
//	command that is not known         Unknown         Unknown
//	version that is not known         ErrUnsupported  ErrUnsupported
//	text without a zero byte          accepted        ErrInvalid
//	blanks at the end of such a text  cut off         ErrInvalid
//	other bytes after the zero byte   ignored         ErrInvalid
//	text that is not UTF-8            kept            kept
//	host that is no IP address        kept            ErrInvalid
//	game with a size of 0, in a list  passed over     ErrInvalid
//	more games than clients take      kept            ErrTooLarge
//	second batch missing entirely     accepted        ErrTruncated
//	reserved bits of parameters       kept            kept
//	bytes after a message             ErrTrailing     ErrTrailing
//
// What Strict accepts is what AppendBinary writes, byte by byte. Encoding also
// refuses fields that a layout lacks.
//
// # Limits
//
// Texts are limited by their fields, [MaxName] and others. The first batch of a
// list is limited to what clients take, [MaxFirstBatch]. [MaxGames] and
// [MaxStatusText] are our choice; Options changes them for reading.
//
// # Quirks
//
// One PHP lobby fills texts with blanks, without a zero byte
// (testdata/golden/php_list.hex), and with it the port of a 4.x host
// (game_port_blanks.hex), which is read as 0 then. It does not answer an Update.
//
// 112 bytes do not tell their byte order; a Size of 48 does (game_20.hex,
// record_list.hex). What follows such a game on its connection are updates,
// even if one is named like a command (record_session.hex): the lobby of 2009
// takes them, though 2.1 clients connect again instead. Games of 2.3.0 to 2.3.4
// are read like those of 2.3.5, with an empty MapName and HostName, unless
// [Layout23] is given (game_23.hex).
//
// Bots and other lobbies ask for the list with "LIST\n\r", "list\n" and "list"
// (commands_tolerant.hex).
//
// Since 3.1 clients show nothing without a Status (list_no_status.hex is for
// 2.2). Clients since 2020 wait 2.5 seconds for the second batch, unless the
// lobby closes the connection. A zero word in its place does no harm
// (list_zero_word.hex). The lobby of 2009 hides the ids of games in its list.
//
// A lobby that cuts texts to their fields leaves no zero byte
// (game_full_text.hex). Such a text can be read and not written: the game's
// clients keep one byte free.
package warzone
