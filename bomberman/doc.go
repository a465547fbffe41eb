// Package bomberman encodes and decodes the protocol of the Bomberman projects
// of a programming course: JSON objects with their length in front, over TCP.
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
// A game server plays rounds with those who registered. Both sides send
// Heartbeat, and may disconnect who is silent for 5 seconds.
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
// There are no request numbers and no error messages: who gets a message that
// is invalid, drops it and keeps the connection.
//
// # Wire format
//
// A message is a length in decimal digits, a JSON object in UTF-8, and LF. The
// length counts the bytes of the object and the LF. The object has a member
// command and, unless there is nothing to send, a member content, an object.
// Members may come in any order. Messages, at the end of this documentation, shows
// an example of each.
//
// The Parse functions and AppendBinary are about the object, without its frame.
// [NextFrame], [SplitFrames], [AppendFrame] and [AppendMessage] are about
// frames, [ParseFrame] about both. A frame that can be cut but holds no valid
// message leaves the stream in step.
//
// # Sources
//
// The specification of Group5Productions, in German: protocol.md for the
// framing, management-server.md, game-server.md. And programs in Java by another
// group of students, run on loopback, which follow it in little but the framing.
//
// # Strictness
//
//	                                  by default        Options.Strict
//	length counts units of UTF-16     resynchronised    ErrInvalid, close
//	zeros in front of the length      accepted          ErrInvalid, close
//	white space before the length     skipped           ErrInvalid, close
//	CR for LF, and LF uncounted       accepted          ErrInvalid, close
//	sign, no digits, length below 3   ErrInvalid, close ErrInvalid, close
//	length above the limit            ErrTooLarge       ErrTooLarge
//	white space in the object         ignored           ignored
//	BOM, comments, trailing commas    ErrInvalid        ErrInvalid
//	text that is not UTF-8, surrogate ErrInvalid        ErrInvalid
//	member twice                      ErrInvalid        ErrInvalid
//	member in another case            unknown           unknown
//	member that is not known          Extra             Extra
//	command that is not known         Unknown           Unknown
//	content neither object nor null   Unknown           ErrInvalid
//	content {} or null, none defined  accepted          ErrInvalid
//	integer as 1.0 or 1e0             accepted          ErrInvalid
//	current as text of digits         accepted          accepted, no zeros in front
//	invalid RegisterGameServer,
//	UpdateGameServerStats,
//	ConfigureArena, PlayerAction      ErrInvalid        ErrInvalid
//	host name with _ or beyond ASCII,
//	or with a hyphen at an end        accepted          ErrInvalid
//	RegisterPlayer with a bad name    kept, to answer   ErrInvalid
//	odd value from a server           kept              ErrInvalid
//	more than 4 players of a round    kept              ErrTooLarge
//
// Encoding refuses all but what Strict accepts, except for host names: what is
// accepted by default for the list can be sent in it. Texts are sent with no
// escapes but those that JSON demands, and current always as a number.
//
// ErrTruncated is about JSON texts: a value is judged when it is whole, so a
// text that ends in a wrong one is truncated.
//
// # Limits
//
// An object has [MaxPayload] bytes at most: the specification allows to refuse
// more. A length is refused as soon as its digits show that it is too large.
// [MaxDigits], [MaxGap] and [MaxDepth] are our choice, and so is that numbers have
// 32 bits, but for scores, which have 64.
//
// # Quirks
//
// Java counts units of UTF-16 (testdata/golden/java_client_02.hex with ö,
// java_client_03.hex with Chinese, java_client_04.hex with a character beyond
// the first plane). If there is no LF where the length says, as many units are
// counted. That cannot help if an LF happens to be there, as in a text with line
// breaks.
//
// The same programs send texts and arrays for content
// (java_client_01.hex, java_server_updatePlayer.hex), with commands of their
// own, and "xxheartbeat" (java_client_08.hex): all are [Unknown]. Their
// management server sends objects without command (java_ms_on_connect.hex).
//
// In the specification, current is an integer, and a text in the examples of
// lists (ms_08_msRQueryGameServers_compact.hex). Some examples are not JSON:
// they lack a comma (gs_11_cPlayersUpdated_printed.hex), have one too many
// (gs_13_cArenaUpdated_printed.hex) or hold comments
// (gs_16_cArenaUpdated_printed.hex).
//
// A game server must get RegisterPlayer with a name that is not allowed, to
// reject it (gs_03_gsRegisterPlayer_compact.hex).
//
// CR before LF is white space if it is counted (crlf_counted.hex) and skipped
// if not (crlf_uncounted.hex).
//
// A list may hold entries that break the rules (list_odd.hex); Check of
// [Server] finds them.
package bomberman

//go:generate go run ../internal/shells
