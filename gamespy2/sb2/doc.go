// Package sb2 encodes and decodes version 2 of GameSpy's server browsing, with which
// clients fetch lists of game servers from a master over TCP, port 28910. Battlefield 2,
// Crysis, Unreal Tournament 3 and many other games use it. Game servers register with the
// same masters over UDP, and clients query them over UDP: see packages qr2 and gamespy2.
//
// # Flow
//
//	client                                  master
//	  | ListRequest                           |
//	  |-------------------------------------->|
//	  |                Head                   |
//	  |<--------------------------------------|  not encrypted
//	  |                List                   |
//	  |<--------------------------------------|  encrypted, like all that follows
//	  | RulesRequest, MessageRequest, ...     |
//	  |-------------------------------------->|  optional
//	  |                PushServer, ...        |
//	  |<--------------------------------------|  also with OptionPush
//	  |                Keepalive              |
//	  |<--------------------------------------|
//	  | Keepalive                             |
//	  |-------------------------------------->|  the same bytes
//
// A connection carries one list. Both sides compute the key of the [Cipher] from
// the secret key of the game, the challenge in the request and the challenge in the
// head; see [NewCipher]. Requests are not encrypted.
//
// Clients read the answer with a [MasterStream], because a list does not state its size.
// Masters append a [Head], then the parts of a list with a [ListAppender], then pushed
// messages, and encrypt everything except the head with a [Cipher]. An [Answer] is the head
// and the list as one message. [NextFrame] splits the stream of a client into requests, and
// [ParseRequest] decodes them.
//
// The caller provides the random bytes for [MakeChallenge] and for the head.
// [MasterHost] returns the host name of the master of a game.
//
// # Wire format
//
// Numbers are big-endian, except GameVersion and MaxServers of a [ListRequest]. A
// text ends with a zero byte. Each game chooses the character encoding.
//
// A message from a client and a pushed message start with their length and their
// type. The length has two bytes and includes them. The type has one byte, and the
// two directions use different types. A list has neither length nor type.
//
// The section Messages, at the end, shows the layouts, all of them before
// encryption. An Answer is a Head followed by an encrypted List.
//
// The cipher is a variant of the stream cipher Sapphire, by Michael Paul Johnson,
// 1993. GameSpy called it GOA; other programs call it enctypeX. It does not protect
// anything, because the keys of all games are public.
//
// # Sources
//
// The source code of the GameSpy SDK; its sample browser, recorded with a master on
// loopback (the key of its sample game, gmtest, is HA6zkS); and the behaviour of the
// masters openspy-core and wfc-server.
//
// # Strictness
//
//	                                      by default       Options.Strict
//	version of protocol or encoding       ErrUnsupported   ErrUnsupported
//	unknown options                       kept             kept
//	bytes after a ListRequest             Extra            ErrTrailing
//	zero byte before a challenge          ignored          ErrInvalid
//	name without \ in a FieldList         accepted         accepted
//	challenge with a wrong parity         accepted         accepted
//	Head without game options             ErrInvalid       ErrInvalid
//	unknown type of a key                 ErrUnsupported   ErrUnsupported
//	index beyond List.Popular             ErrInvalid       ErrInvalid
//	popular value sent as text            accepted         accepted
//	server with both fields and rules, in
//	  a list                              accepted         accepted
//	end of a list with flags other than 0 accepted         ErrInvalid
//	bytes after a List                    ErrTrailing      ErrTrailing
//	unknown type of a message             Unknown          Unknown
//	MapLoop with fewer maps than counted  ErrInvalid       ErrInvalid
//	Final of a PlayerSearch above 1       true             ErrInvalid
//	bytes after another message           ErrTrailing      ErrTrailing
//	text that is not UTF-8                kept             kept
//
// The error for a message whose length ends within a field is ErrInvalid. Encoding
// refuses a server in a list with both fields and rules, because GameSpy's client
// misreads it. It writes popular values as indexes and ends a list with flags of 0.
//
// # Limits
//
// See [MaxMessage]. GameSpy's client sends filters of up to 511 bytes, lists of fields of
// up to 256 bytes and requests of up to 1022 bytes; longer ones are accepted. A
// parameter of [NextFrame] replaces [MaxRequest]. The start of a
// list and each server have at most 65 536 bytes, and a list has at most [MaxServers].
//
// # Quirks
//
// A server with the address 255.255.255.255 ends a list, whatever its flags
// (testdata/golden/list_end_flags.hex). GameSpy's masters send flags of 0.
//
// A list contains either fields or rules for each server. GameSpy's client looks for the
// end of the rules at the start of the fields, so it fails if there are both
// (list_fields_rules.hex). Pushed messages may contain both (push_server_all.hex).
//
// A PushServer without fields and rules tells the client to discard its fields and rules
// (push_server_cleared.hex).
//
// GameSpy's client sends a MessageRequest in two writes, so it may arrive in two
// pieces (message_request.hex).
//
// The request of Anno 1701 contains a surplus zero byte before the challenge, which its
// length includes (list_request_surplus_zero.hex).
//
// The default port 65535 means that the master refuses the request; an error
// text follows (list_error.hex). GameSpy's client then keeps the connection
// open.
//
// The master wfc-server uses neither popular values nor numbers: all keys are
// texts, as in list_latin1.hex.
package sb2

//go:generate go run ../../internal/wire/wiregen
