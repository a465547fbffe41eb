// Package wzjson encodes and decodes the JSON protocol that was proposed in
// 2009 for the lobby of Warzone 2100, over TCP. It was never deployed; package
// warzone has the protocol that is.
//
// # Flow
//
//	host                                    lobby
//	  | Add                                   |
//	  |-------------------------------------->|
//	  |                       AddAck or Error |
//	  |<--------------------------------------|  the id of the game
//	  | Update, Heartbeat                     |
//	  |-------------------------------------->|
//	  |                          Ack or Error |  or silence
//	  |<--------------------------------------|
//	  | Goodbye                               |
//	  |-------------------------------------->|
//
//	client                                  lobby
//	  | List                                  |
//	  |-------------------------------------->|
//	  |                      ListAck or Error |
//	  |<--------------------------------------|
//
// A connection carries as many messages as one likes, answered in order. A game
// is known by its id, not by its connection. How long it lives without a
// Heartbeat is the lobby's choice; we suggest one every 30 seconds and 120
// seconds of life.
//
// # Wire format
//
// One JSON object after the other, in UTF-8. A message ends with its last brace;
// we send a newline behind it and skip white space in front of it.
//
// Messages, at the end of this documentation, shows an example of each.
//
// An Update has any of the members behind id, and an object of a filter any of
// name, map, tech and players.
//
// The Parse functions and AppendBinary are about the object alone;
// [NextFrame], [SplitFrames], [AppendFrame] and [AppendMessage] are about
// streams of them. A message that can be cut off but is not valid leaves the
// stream in step.
//
// # Sources
//
// The page "Lobby protocol" of the Warzone 2100 wiki as of April 2009, which
// shows the commands by examples. What it leaves open, we read so:
//
//	framing                  none is given: an object ends with its last brace
//	place of the members     command, id and fields are members of query, beside
//	                         which the version stands
//	requests and answers     both are a query in a lobbyquery; the command tells
//	answer to list           none is given: list-ack and games are ours
//	answers to update,       none are given: the -ack commands are ours, and
//	heartbeat, goodbye       lobbies need not send them
//	error                    none is given: the command is ours
//	host and port            an add has none: the game is where the connection
//	                         comes from, at port 2100; in games they are ours
//	players                  the number that a game takes
//	tech                     T1, T2 and T3, but any text
//	id                       a text of up to 64 bytes, secret
//	update                   fields that are there replace, others stay; null is
//	                         an error
//	filter                   a game passes if one object matches, an object if
//	                         all its members do; texts match byte by byte; no
//	                         objects are no filter
//	version                  the number 1, in both directions
//
// # Strictness
//
//	                                  by default      Options.Strict
//	command that is not known         Unknown         Unknown
//	member that is not known          Extra           Extra
//	member in another case            unknown         unknown
//	name, map, tech or players of
//	an Add or a Game missing          zero            ErrInvalid
//	message of an Error missing       ""              ErrInvalid
//	tech that is none of the three    kept            ErrInvalid
//	member twice                      ErrInvalid      ErrInvalid
//	null, or a number in quotes       ErrInvalid      ErrInvalid
//	players not a whole number, or 0  ErrInvalid      ErrInvalid
//	version not 1                     ErrUnsupported  ErrUnsupported
//	comments, commas missing or too
//	many, BOM, text not UTF-8         ErrInvalid      ErrInvalid
//	line break in a text, something
//	between messages                  ErrInvalid, close, in both
//
// What is accepted can be appended again, if it is not too long. A field of Add
// and Game that is zero is left out.
//
// ErrTruncated is about JSON texts: a value is judged when it is whole, so a
// text that ends in a wrong one is truncated.
//
// # Limits
//
// A message has [MaxFrame] bytes and an id [MaxID] bytes at most, by our choice.
// NextFrame starts over with each call, so a peer that sends a long message byte
// by byte costs time: a lobby should set a lower limit, of some 4096 bytes.
//
// # Quirks
//
// There are no peers to have any. Three examples of the proposal are not JSON,
// and we do not read them: a comment in add (testdata/golden/add_comment.hex), a
// comma missing after the id in update (update_comma.hex), and one between the
// objects of a filter (list_comma.hex).
package wzjson

//go:generate go run ../../internal/shells
