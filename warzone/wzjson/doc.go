// Package wzjson encodes and decodes a JSON protocol over TCP that was proposed for the
// lobby of Warzone 2100 in 2009. It was never deployed: the package shows the document of
// 2009, and may change in any release. Package warzone is the codec of the deployed
// protocol.
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
// A connection carries any number of messages, which are answered in order. A game
// is identified by its id, not by its connection. The lobby chooses how long a
// game stays listed without a Heartbeat. We suggest a heartbeat every 30 seconds
// and a lifetime of 120 seconds.
//
// # Wire format
//
// One JSON object after another, in UTF-8. A message ends with its last brace. We
// send a newline after it, and skip white space before it.
//
// An object has the member lobbyquery with an object of two members: version and query. The
// query contains the member command and the members that the tags of the fields of each
// type name. In an Update, the members after id are optional, and an object of a filter
// contains any of name, map, tech and players. Messages, at the end of this documentation,
// shows an example of each.
//
// The Parse functions and AppendBinary handle the object alone. [Framer], [AppendFrame] and
// [AppendMessage] handle streams of objects. After a complete object that is not a valid
// message, the stream continues with the next one.
//
// # Sources
//
// The page "Lobby protocol" of the Warzone 2100 wiki as of April 2009, which
// shows the commands by examples. This is our reading of what it leaves open:
//
//	framing                  not given: an object ends with its last brace
//	place of the members     command, id and fields are members of query; version
//	                         is beside query
//	requests and responses   both are a query in a lobbyquery; only the command
//	                         distinguishes them
//	response to list         not given: list-ack and games are ours
//	responses to update,     not given: the -ack commands are ours, and lobbies
//	heartbeat, goodbye       need not send them
//	error                    not given: the command is ours
//	host and port            not in an add: the game runs at the address of the
//	                         connection, port 2100; in games they are ours
//	players                  the capacity of the game
//	tech                     T1, T2 and T3, but any text is legal
//	id                       a secret text of up to 64 bytes
//	update                   fields that are present replace, others stay; null is
//	                         an error
//	filter                   a game passes if one object matches; an object
//	                         matches if all its members do; texts are compared
//	                         byte by byte; an empty array is no filter
//	version                  the number 1, in both directions
//
// # Strictness
//
//	                                  by default      Options.Strict
//	unknown command                   Unknown         Unknown
//	unknown member                    Extra           Extra
//	member in another case            unknown         unknown
//	name, map, tech or players of
//	an Add or a Game missing          zero            ErrInvalid
//	message of an Error missing       ""              ErrInvalid
//	tech other than T1, T2 and T3     kept            ErrInvalid
//	duplicate member                  ErrInvalid      ErrInvalid
//	null, or a number in quotes       ErrInvalid      ErrInvalid
//	game of a ListAck that cannot be
//	read                              left out        ErrInvalid
//	games missing or null             empty           ErrInvalid
//	players not a whole number, or 0  ErrInvalid      ErrInvalid
//	version not 1                     ErrUnsupported  ErrUnsupported
//	comments, missing or extra
//	commas, BOM, invalid UTF-8        ErrInvalid      ErrInvalid
//	line break in a text, other bytes
//	between messages                  ErrInvalid, close, in both
//
// "close" means that the position of the next message is unknown.
//
// Every accepted message can be appended again unless it is too long or lacks games,
// because a lobby lists what it has accepted: a tech of any text, an Add without tech or
// players, and a Game without fields that are zero. Strict refuses these, and accepts
// everything else that AppendBinary writes.
//
// ErrTruncated refers to the JSON text. An unfinished number or text is
// ErrTruncated, even if it could not become valid.
//
// # Limits
//
// A message has at most [MaxFrame] bytes, an id at most [MaxID] bytes, and a value that is
// kept undecoded at most 32 levels of arrays and objects. All are our choice. A lobby
// should set a lower limit, about 4096 bytes.
//
// # Quirks
//
// No program speaks this protocol, so there are no quirks of peers. Three examples of the
// proposal are not JSON, and we refuse them: add contains a comment
// (testdata/golden/add_comment.hex), update lacks a comma after the id (update_comma.hex),
// and a filter lacks one between its objects (list_comma.hex).
package wzjson

//go:generate go run ../../internal/wire/wiregen
