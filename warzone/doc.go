// Package warzone encodes and decodes the binary lobby protocol of Warzone 2100 over TCP,
// which clients 2.0 to 4.6 use to announce and list games. The lobby is also called the
// master server. Clients since 4.7 use JSON over HTTPS instead: see package wzhttp.
// Packages wzproposal and wzjson implement three proposals of 2009 to replace the protocol.
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
// A host of 4.0 to 4.6 leaves if an Update is not answered within 2.5 seconds.
// Hosts before 2020 ignore the answer, so a lobby answers every Update. A host
// sends an Update at the earliest 7 seconds after its last message. The lobby sets
// the Host of a game to the address that the connection came from.
//
// [HostStream] and [LobbyStream] parse the two directions of a host's connection, and
// [ListReplyEnd] finds the end of a list reply. Hosts up to 3.0 also
// answer a ListRequest and a [JoinRequest] at their own game port, with a ListReply
// of one game and with a [Game].
//
// # Wire format
//
// Numbers are unsigned and big-endian, but little-endian in games of 2.0 clients. A text
// occupies a field of fixed size, padded with at least one zero byte. No document states
// its encoding; it is UTF-8 in 4.x.
//
// A Game is the structure GAMESTRUCT of the game's source. Its part from size to
// userFlags is SESSIONDESC, with the names dwSize, dwFlags, host, dwMaxPlayers,
// dwCurrentPlayers and dwUserFlags. The wiki calls the elements of dwUserFlags
// dwUser1 to dwUser4.
//
// The section Messages, at the end, shows each layout. A command is four letters and
// a zero byte.
//
// A Game has six layouts:
//   - clients 2.0: 112 bytes, little-endian, with a size of 48
//   - clients 2.1: the same, big-endian
//   - clients 2.2: 814 bytes, version 2, with a size of 72
//   - clients 2.3.0 to 2.3.4: version 3, extra in place of mapName and hostName
//   - clients 2.3.5 to 3.3: version 3
//   - clients 4.0 to 4.6: version 4
//
// Early clients send a [Filler] in place of some of the last fields.
//
// # Sources
//
// The lobby page of the project's wiki as of April 2009; the netplay code of
// the game and its lobby scripts from 2005 to 2018, and the game's code of the
// 4.5 and 4.6 lines; its pull requests 918 and 1506; two independent lobbies,
// of 2011 and 2020; and recordings of the 4.3.3 client. The wiki calls the
// numbers both big-endian and little-endian. They are big-endian.
//
// This package leaves out four formats. Two layouts of a few days in April 2009 contain the
// version word in the middle, and no release used them; they are read as games of 112
// bytes. Calls in BSON or JSON after a "version" command, of 2011, and commands of eight
// letters, of 2012, are in no release either.
//
// # Strictness
//
//	                                  by default      Options.Strict
//	command in another case           accepted        ErrInvalid
//	last byte of a command            any, or none    0
//	CR, LF and NUL between requests   ignored         ErrInvalid
//	unknown command                   Unknown         Unknown
//	unknown version                   ErrUnsupported  ErrUnsupported
//	the same, in a list               left out        ErrUnsupported
//	text without a zero byte          accepted        ErrInvalid
//	blanks at the end of such a text  removed         ErrInvalid
//	other bytes after the zero byte   ignored         ErrInvalid
//	text that is not UTF-8            kept            kept
//	host that is not an IP address    kept            ErrInvalid
//	game with a size of 0, in a list  skipped         ErrInvalid
//	more games than clients accept    kept            ErrTooLarge
//	missing second batch              accepted        ErrTruncated
//	reserved bits of parameters       kept            kept
//	bytes after a message             ErrTrailing     ErrTrailing
//
// Strict accepts exactly the bytes that AppendBinary writes. Encoding also refuses
// fields that a layout lacks; [Game.Fit] clears them.
//
// # Limits
//
// The fields of a game limit its texts; [Game.Fit] shortens them. The limits of lists and
// statuses are [MaxFirstBatch], [MaxGames] and [MaxStatusText]; for reading,
// Options.MaxGames replaces MaxGames.
//
// # Quirks
//
// One PHP lobby fills texts with blanks and without a zero byte
// (testdata/golden/php_list.hex). It also overwrites the port of a 4.x host with
// blanks (game_port_blanks.hex), which is read as 0. It does not answer an Update.
//
// A Size of 48 identifies the byte order of 112 bytes (game_20.hex, record_list.hex). The
// bytes after such a game on its connection are read as updates, even if a name looks like
// a command (record_session.hex): the lobby of 2009 accepts them, although 2.1 clients
// connect again instead. Games of 2.3.0 to 2.3.4 are read like those of 2.3.5, with an
// empty MapName and HostName, unless [Layout23] is set (game_23.hex).
//
// Bots and other lobbies request the list with "LIST\n\r", "list\n" and "list"
// (commands_tolerant.hex).
//
// Clients since 3.1 show no games without a Status (list_no_status.hex is for
// 2.2). Clients since 2020 wait 2.5 seconds for the second batch, unless the lobby
// closes the connection. A zero word in its place is harmless
// (list_zero_word.hex). The lobby of 2009 hides the ids of games in its list.
//
// A lobby that cuts texts to their fields leaves no zero byte
// (game_full_text.hex). Such a text can be read but not written: the game's clients
// keep one byte free.
package warzone

//go:generate go run ../internal/wire/wiregen
