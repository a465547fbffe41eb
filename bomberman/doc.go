// Package bomberman encodes and decodes the protocol of Bomberman games that students of a
// programming course write: JSON objects over TCP, each preceded by its length.
//
// # Flow
//
// A management server, at port 51963, keeps the list of game servers.
//
//	game server                             management server
//	  | RegisterGameServer                    |
//	  |-------------------------------------->|
//	  | UpdateGameServerStats                 |  when something changes
//	  |-------------------------------------->|
//	  | UnregisterGameServer                  |  or the connection ends
//	  |-------------------------------------->|
//
//	client                                  management server
//	  | QueryGameServers                      |
//	  |-------------------------------------->|
//	  |              QueryGameServersResponse |
//	  |<--------------------------------------|
//
// A game server plays rounds with the registered players. Both sides send
// Heartbeat. Either may disconnect a peer that has been silent for 5 seconds.
//
//	client                                  game server
//	  | RegisterPlayer                        |  in the lobby
//	  |-------------------------------------->|
//	  |                RegisterPlayerResponse |
//	  |<--------------------------------------|
//	  |                        PlayersUpdated |
//	  |<--------------------------------------|
//	  | ConfigureArena                        |  from the leader
//	  |-------------------------------------->|
//	  |                          ArenaUpdated |  in the round, every tick
//	  |<--------------------------------------|
//	  | PlayerAction                          |
//	  |-------------------------------------->|
//	  |                     RoundEndHighscore |  back to the lobby
//	  |<--------------------------------------|
//
// Requests have no numbers, and there are no error messages: a peer drops an
// invalid message and keeps the connection.
//
// # Wire format
//
// A frame is a length in decimal digits, a JSON object in UTF-8, and LF. The
// length counts the bytes of the object and the LF. The object has a member
// command and, unless there is nothing to send, a member content, which is an
// object. Members may come in any order. The tags of the fields of each type are
// the names of its members. The section Messages, at the end, shows an
// example of each.
//
// The Parse functions and AppendBinary handle the object without its frame.
// [NextFrame], [Framer], [AppendFrame] and [AppendMessage] handle frames, and [ParseFrame]
// handles both. After a complete frame with an invalid message, the stream continues with
// the next frame.
//
// # Ports and display
//
// The specification advises game servers against ports of well-known services: 21, 80 and
// 443. This package accepts and sends those. A list shows names exactly as they were
// registered, and they may be any text, so escape them before you show them. It also
// contains full and closed game servers.
//
// # Sources
//
// The specification of Group5Productions, in German: protocol.md for the framing,
// management-server.md and game-server.md. Its Verwaltungsserver is the management server,
// and its Spieleserver a game server. Also the Java programs of another group of students,
// observed on loopback. Apart from the framing, they mostly ignore the specification.
//
// # Strictness
//
//	                                  by default        Options.Strict
//	length counts units of UTF-16     resynchronised    ErrInvalid, close
//	leading zeros in the length       accepted          ErrInvalid, close
//	white space before the length     skipped           ErrInvalid, close
//	CR instead of LF, then an LF      accepted          ErrInvalid, close
//	sign, no digits, length below 3   ErrInvalid, close ErrInvalid, close
//	length above the limit            ErrTooLarge       ErrTooLarge
//	white space in the object         ignored           ignored
//	BOM, comments, trailing commas    ErrInvalid        ErrInvalid
//	text with invalid UTF-8 or a lone
//	surrogate                         ErrInvalid        ErrInvalid
//	duplicate member                  ErrInvalid        ErrInvalid
//	member in another case            unknown           unknown
//	unknown member                    Extra             Extra
//	unknown command                   Unknown           Unknown
//	content neither object nor null   Unknown           ErrInvalid
//	content {} or null, none defined  accepted          ErrInvalid
//	integer as 1.0 or 1e0             accepted          ErrInvalid
//	current as text of digits         accepted          accepted, no leading zeros
//	invalid RegisterGameServer,
//	UpdateGameServerStats,
//	ConfigureArena, PlayerAction      ErrInvalid        ErrInvalid
//	host name with _ or non-ASCII     accepted          accepted
//	RegisterPlayer with a bad name    kept, to answer   ErrInvalid
//	invalid value from a server       kept              ErrInvalid
//	entry of a list that cannot be
//	read                              left out          ErrInvalid
//	list missing or null              empty             ErrInvalid
//	more than 4 players in a round    kept              ErrTooLarge
//
// "close" means that the position of the next frame is unknown.
//
// Encoding refuses everything that Strict refuses. Texts are sent with only the
// escapes that JSON requires, and current always as a number.
//
// ErrTruncated refers to the JSON text. An unfinished number or text is
// ErrTruncated, even if it could not become valid.
//
// # Limits
//
// An object has at most [MaxPayload] bytes. A length that is too large is refused as
// soon as enough digits have arrived. Numbers have 32 bits, except 64 bits for scores,
// which is our choice. Values that are kept undecoded are nested to at most 32 levels, our
// choice too. The constants give their own sources.
//
// # Quirks
//
// Java counts units of UTF-16 (testdata/golden/java_client_02.hex with ö,
// java_client_03.hex with Chinese, java_client_04.hex with a character above
// U+FFFF). If the byte at the end of the length is not an LF, the decoder takes the
// length as a number of UTF-16 units. This fails if that byte happens to be an LF,
// as in a text with line breaks.
//
// The same programs send texts and arrays for content (java_client_01.hex,
// java_server_updatePlayer.hex), commands that the specification does not define, and
// "xxheartbeat" for xxHeartbeat (java_client_08.hex): all decode as [Unknown]. Their
// management server sends objects without a command (java_ms_on_connect.hex).
//
// In the specification, current is an integer, but a text in the examples of lists
// (ms_08_msRQueryGameServers_compact.hex). Some examples are not JSON: they lack a comma
// (gs_11_cPlayersUpdated_printed.hex), contain one too many
// (gs_13_cArenaUpdated_printed.hex) or contain comments (gs_16_cArenaUpdated_printed.hex).
//
// A game server must receive RegisterPlayer with a forbidden name, in order to
// reject it (gs_03_gsRegisterPlayer_compact.hex).
//
// CR before LF is white space if the length counts it (crlf_counted.hex), and is
// skipped otherwise (crlf_uncounted.hex).
//
// A list may contain entries that break the rules (list_odd.hex). [Server.Check]
// finds them. Entries without players, with a port in quotes or with text in
// Windows-1252 cannot be read, and are left out (list_skipped.hex).
package bomberman

//go:generate go run ../internal/wire/wiregen
