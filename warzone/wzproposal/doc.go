// Package wzproposal encodes and decodes the text and the binary protocol that were
// proposed in 2009 for the lobby of Warzone 2100, over TCP. They were never deployed: the
// package shows the documents of 2009, and may change in any release. Package warzone is
// the codec of the deployed protocol.
//
// Both protocols carry the same messages. The functions and AppendBinary use the encoding
// [Text]; Options.Encoding and [Encoding.Append] select [Binary].
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
// connection: a game is identified by the address of its host and its port, and
// stays listed when the connection ends. The lobby chooses how long; hosts may
// repeat OpenGame to stay listed.
//
// A [Framer] splits the two directions of a connection into messages.
//
// # Wire format
//
// In the text encoding, a line is a first word and columns of UTF-8 text, with a
// TAB before each column and LF at the end. Numbers are decimal. A name may contain
// spaces, but no TAB, because there is no escape.
//
// In the binary encoding, a frame is a header and payloads. The header is the command
// and the size of all payloads, one byte each. A payload is its size, one byte, and as
// many bytes. The size in the header counts the payloads with their sizes.
//
// The binary proposal defines no commands and no payloads. We use those of the text
// proposal: each column is a payload of UTF-8 text, and numbers are decimal.
//
// The section Messages, at the end, shows each layout in both encodings.
// Requests and answers have different commands. A command of the other direction is
// [Unknown].
//
// # Sources
//
// The page of the Warzone 2100 wiki that makes three proposals for the lobby,
// as of April 2009. It describes the text proposal in prose, with one sample
// conversation and a comment that names the columns of a game. This is our reading of
// what it leaves open:
//
//	separator                prose says TAB; the sample, which lost its TABs,
//	                         shows one space after LIST and COUNT, so a space
//	                         after the first word is read as well
//	line end                 LF is written, CRLF is read as well
//	"> " and "< "            show the direction and are not sent
//	end of a list            given by the count; no DONE follows
//	*                        a filter that matches all games; there is no other
//	columns of OPENGAME      port, name, map and most players, by the sample
//	CLOSEGAME's last column  the winner's name, optional
//	status                   an open set of words in lower case
//	failure                  ERROR and a text
//	ip                       as net/netip reads it: IPv6 without brackets
//	port                     1 to 65535
//	players in a game        no column has them, so they are not carried
//	byte order mark          none; it would be part of the first word
//
// For the binary proposal, it describes frames only:
//
//	numbers of the commands  opaque; ours are in the order of the text proposal
//	size in the header       of the message alone, without the header
//	number of payloads       not given: payloads follow until the frame ends
//	longest payload          254 bytes, alone in its frame; a longer one is
//	                         refused, because there is no rule to split it
//	types of payloads        text, the columns of the text proposal, under the
//	                         same rules; a [Frame] may contain any bytes
//	list of games            one frame each, behind one with their number
//	success and failure      Done and Error
//	version, switch from     none: client and lobby must agree on the encoding
//	text to binary
//
// # Strictness
//
//	                                  by default      Options.Strict
//	command that is not known         Unknown         Unknown
//	LIST without a filter             AllGames        AllGames
//	another filter than *             kept            ErrUnsupported
//	capital letters in a status       lower case      ErrInvalid
//	status empty or not a word        kept            ErrInvalid
//	number with leading zeros         accepted        ErrInvalid
//	ip not as net/netip writes it     accepted        ErrInvalid
//	CR, NUL, text that is not UTF-8   kept            ErrInvalid
//	empty name, map or winner         kept            kept
//	field missing                     ErrInvalid      ErrInvalid
//	field too many                    ErrTrailing     ErrTrailing
//	invalid game of a list            left out        as above
//
// In the text encoding:
//
//	first word in another case        accepted        ErrInvalid
//	space after the first word        accepted        accepted
//	CRLF                              accepted        accepted
//	empty line                        ErrInvalid      ErrInvalid
//
// In the binary encoding:
//
//	TAB or LF in a text               kept            ErrInvalid
//	payload beyond its message        ErrInvalid      ErrInvalid
//
// A message that Strict accepts can be appended again. A text, status or ip that is
// kept where Strict refuses it cannot be appended. A line without its end is
// ErrTruncated, unless a column that has ended is invalid. An error in a frame is
// reported even if the frame is incomplete.
//
// Options.Transcript reads samples as documents show them.
//
// # Limits
//
// A line has at most [MaxLine] bytes and a list [MaxGames] games, both by our choice;
// Options changes them for reading. A frame has at most [MaxFrame] bytes, by the format:
// ip, name, map and status share about 240.
//
// # Quirks
//
// No program speaks these protocols, so there are no quirks of peers. The sample of the
// proposal, with a space after LIST and COUNT, is testdata/golden/text_list_space.hex
// and text_gamelist_sample.hex. People who type requests into a terminal send lower
// case (text_startgame_small.hex), no filter (text_list_bare.hex) and CRLF
// (text_opengame_crlf.hex).
//
// An empty payload at the end of a frame is a payload
// (binary_frame_empty_payload.hex). An empty winner counts as missing
// (binary_closegame_empty_winner.hex).
package wzproposal

//go:generate go run ../../internal/wire/wiregen
