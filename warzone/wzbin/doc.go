// Package wzbin encodes and decodes the binary protocol that was proposed in
// 2009 for the lobby of Warzone 2100, over TCP. It was never deployed; package
// warzone has the protocol that is. Package wztext is the same conversation in
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
// Each request has one answer, in order. A game is identified by the address
// that it came from and its port, and lives on when the connection ends.
//
// [NextRequest] and [NextResponse] take the two directions of a connection
// apart.
//
// # Wire format
//
// A frame is a header and a message. A message is payloads until its size is
// used up. Sizes are one byte, so there is no byte order.
//
//	Frame
//	 0         1      2
//	+---------+------+---------------+
//	| command | size | [payloads]... |
//	+---------+------+---------------+
//	size: of all that follows; a payload: its own size, one byte, and as many bytes
//
// The proposal ends here. Commands and payloads are ours: those of the text
// proposal, each column a payload of UTF-8 text, numbers in decimal.
//
//	List       01 size filter
//	OpenGame   02 size port name map maxPlayers
//	StartGame  03 size port
//	CloseGame  04 size port [winner]
//	Count      05 size games
//	Game       06 size ip port name map maxPlayers status
//	Done       07 size
//	Error      08 size [text]
//
// A GameList is a Count and as many Games. Requests and answers share no
// number, but the direction is known anyway: 7 from a client is [Unknown].
//
// # Sources
//
// The page of the Warzone 2100 wiki that makes three proposals for the lobby,
// as of April 2009. It gives frames and nothing else. What it leaves open, we
// read so:
//
//	numbers of the commands  opaque; [Command] names ours
//	size in the header       of the message alone, without the header
//	number of payloads       not told: they go on until the message ends
//	longest payload          254 bytes, alone in its message; what is longer
//	                         is refused, since nothing says how to split it
//	types of payloads        text, the columns of the text proposal, under the
//	                         same rules; [Frame] has them as bytes
//	list of games            one frame each, behind one with their number
//	success and failure      Done and Error
//	version, switch from     none; do not guess which of the two a peer speaks
//	text to binary
//
// # Strictness
//
//	                                  by default      Options.Strict
//	command that is not known         Unknown         Unknown
//	List without a filter             AllGames        AllGames
//	another filter than *             kept            ErrUnsupported
//	capital letters in a status       lower case      ErrInvalid
//	status empty or not a word        kept            ErrInvalid
//	number with leading zeros         accepted        ErrInvalid
//	ip not as net/netip writes it     accepted        ErrInvalid
//	TAB, LF, CR, NUL in a text        kept            ErrInvalid
//	text that is not UTF-8            kept            ErrInvalid
//	empty name, map or winner         kept            kept
//	payload beyond its message        ErrInvalid      ErrInvalid
//	payload missing                   ErrInvalid      ErrInvalid
//	payload too many                  ErrTrailing     ErrTrailing
//
// What Strict accepts can be appended again. What is wrong with a frame is told
// as soon as it is seen, not when the frame is whole.
//
// # Limits
//
// A frame has [MaxFrame] bytes at most, by the format: an ip, name, map and
// status together about 240. A list has [MaxGames] games at most, by our
// choice; Options changes that for reading.
//
// # Quirks
//
// There are no peers to have any. A payload of no bytes at the end of a message
// is one (testdata/golden/frame_empty_payload.hex); as the winner of a game it
// is read like none (closegame_empty_winner.hex).
package wzbin
