// Package wztext encodes and decodes the text protocol that was proposed in
// 2009 for the lobby of Warzone 2100, over TCP. It was never deployed; package
// warzone has the protocol that is. Package wzbin is the same conversation in
// another form, with the same names.
//
// # Flow
//
//	client                                  lobby
//	  | List                                  |
//	  |-------------------------------------->|
//	  |                GameList               |
//	  |<--------------------------------------|  a Count, then as many Games
//	  | OpenGame, StartGame or CloseGame      |
//	  |-------------------------------------->|
//	  |                Done or Error          |
//	  |<--------------------------------------|
//
// Each request has one answer, in order. A lobby keeps no state of a
// connection: a game is identified by the address that it came from and its
// port, and lives on when the connection ends. For how long is the lobby's
// choice; hosts may repeat OpenGame to be on the safe side.
//
// [NextRequest] and [NextResponse] take the two directions of a connection
// apart.
//
// # Wire format
//
// A line is a first word and columns of UTF-8 text, with a TAB before each
// column and LF at the end. Numbers are decimal. A name holds spaces as they
// are and cannot hold a TAB: there is no escape.
//
//	List       LIST TAB filter LF
//	OpenGame   OPENGAME TAB port TAB name TAB map TAB maxPlayers LF
//	StartGame  STARTGAME TAB port LF
//	CloseGame  CLOSEGAME TAB port [TAB winner] LF
//
//	Count      COUNT TAB games LF
//	Game       ip TAB port TAB name TAB map TAB maxPlayers TAB status LF
//	GameList   COUNT TAB games LF
//	           [ip TAB port TAB name TAB map TAB maxPlayers TAB status LF]...
//	Done       DONE LF
//	Error      ERROR [TAB text] LF
//
// # Sources
//
// The page of the Warzone 2100 wiki that makes three proposals for the lobby,
// as of April 2009: prose, one sample conversation and a comment that names the
// columns of a row. What it leaves open, we read so:
//
//	separator                prose says TAB; the sample, which lost its TABs,
//	                         shows one space after LIST and COUNT, so a space
//	                         after the first word is read as well
//	line end                 LF is written, CRLF is read as well
//	"> " and "< "            show the direction and are not sent
//	end of a list            told by the count; no DONE follows
//	*                        a filter that all games pass; there is no other
//	columns of OPENGAME      port, name, map and most players, by the sample
//	CLOSEGAME's last column  the winner's name, optional
//	status                   an open set of words in lower case
//	failure                  ERROR and a text
//	ip                       as net/netip reads it: IPv6 without brackets
//	port                     1 to 65535
//	players in a game        no column has them, so they are not carried
//	byte order mark          none; it would be part of the first word
//
// # Strictness
//
//	                                  by default      Options.Strict
//	first word in another case        accepted        Unknown
//	first word that is not known      Unknown         Unknown
//	space after the first word        accepted        accepted
//	CRLF                              accepted        accepted
//	LIST without a filter             AllGames        AllGames
//	another filter than *             kept            ErrUnsupported
//	capital letters in a status       lower case      ErrInvalid
//	status empty or not a word        kept            ErrInvalid
//	number with leading zeros         accepted        ErrInvalid
//	ip not as net/netip writes it     accepted        ErrInvalid
//	CR, NUL, text that is not UTF-8   kept            ErrInvalid
//	empty name, map or winner         kept            kept
//	empty line                        ErrInvalid      ErrInvalid
//	column missing                    ErrInvalid      ErrInvalid
//	column too many                   ErrTrailing     ErrTrailing
//
// What Strict accepts can be appended again. A line without its end is
// ErrTruncated, unless a column that has ended is bad: the last is not judged.
//
// Options.Transcript reads samples as they stand in documents.
//
// # Limits
//
// A line has [MaxLine] bytes and a list [MaxGames] games at most, by our
// choice; Options changes that for reading.
//
// # Quirks
//
// There are no peers to have any. The sample of the proposal, with a space
// after LIST and COUNT, is testdata/golden/list_space.hex and gamelist_sample.hex.
// A lobby typed at by hand sees small letters (startgame_small.hex), no filter
// (list_bare.hex) and CRLF (opengame_crlf.hex).
package wztext
