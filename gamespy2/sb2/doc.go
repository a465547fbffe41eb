// Package sb2 encodes and decodes version 2 of GameSpy's server browsing, in which
// clients get lists of game servers from a master over TCP, port 28910. Battlefield
// 2, Crysis, Unreal Tournament 3 and many other games use it. Game servers register
// with the same masters over UDP, and clients query them over UDP: see packages qr2
// and gamespy2.
//
// # Flow
//
//	client                                  master
//	  | ListRequest                           |
//	  |-------------------------------------->|
//	  |                Head                   |
//	  |<--------------------------------------|  not encrypted
//	  |                List                   |
//	  |<--------------------------------------|  encrypted, as all that follows
//	  | RulesRequest, MessageRequest, ...     |
//	  |-------------------------------------->|  optional
//	  |                PushServer, ...        |
//	  |<--------------------------------------|  also with OptionPush
//	  |                Keepalive              |
//	  |<--------------------------------------|
//	  | Keepalive                             |
//	  |-------------------------------------->|  the same bytes
//
// A connection has one list. The [Cipher] needs a key that both sides make from the
// secret key of the game, the challenge in the request and that in the head:
// [CombineKey]. Requests are not encrypted.
//
// Clients read the answer with a [MasterStream], because nothing gives the size of
// a list. Masters append a [Head], then the parts of a list with a [ListAppender],
// then pushed messages, and encrypt all but the head with a [Cipher]. An [Answer] is
// the whole as one message. [NextFrame] cuts requests, and [ParseRequest] reads
// them.
//
// The package has no random numbers: the caller provides those of [MakeChallenge]
// and of the head.
//
// # Wire format
//
// Numbers are big-endian, except GameVersion and MaxServers of a [ListRequest]. A
// text ends with a zero byte. Each game chooses the character encoding.
//
// A message from a client and a pushed message start with their length, two bytes
// that count themselves, and their type, one byte. Types have other meanings in the
// two directions. A list has neither.
//
// An Answer is a Head and an encrypted List, whose layouts the section Messages
// shows, at the end. It shows all but the head as it is before it is encrypted.
//
// The cipher is a variant of Sapphire, by Michael Paul Johnson, 1993. GameSpy calls
// it GOA; other programs call it enctypeX. It protects nothing: the keys of games
// are public.
//
// # Sources
//
// The source of GameSpy's SDK and what its sample browser sent to a master, and read
// from it, on loopback; the key of its sample game, gmtest, is HA6zkS. The behaviour
// of the masters openspy-core and wfc-server.
//
// # Strictness
//
//	                                      by default       Options.Strict
//	version of protocol or encoding       ErrUnsupported   ErrUnsupported
//	unknown options                       kept             kept
//	bytes after a ListRequest             Extra            ErrTrailing
//	name without \ in a FieldList         accepted         accepted
//	challenge that breaks the rule        accepted         accepted
//	Head without game options             ErrInvalid       ErrInvalid
//	unknown type of a key                 ErrUnsupported   ErrUnsupported
//	index without a popular value         ErrInvalid       ErrInvalid
//	popular value that is written out     accepted         accepted
//	fields and rules of a server, in a
//	  list                                accepted         accepted
//	end of a list with flags              accepted         ErrInvalid
//	bytes after a List                    ErrTrailing      ErrTrailing
//	unknown type of a message             Unknown          Unknown
//	MapLoop with fewer maps than counted  ErrInvalid       ErrInvalid
//	Final of a PlayerSearch above 1       true             ErrInvalid
//	bytes after another message           ErrTrailing      ErrTrailing
//	text that is not UTF-8                kept             kept
//
// A message whose length ends within a field is ErrInvalid. Encoding refuses a server
// with fields and rules in a list, because GameSpy's client misreads it. It writes
// popular values as indexes and ends a list with flags of 0.
//
// # Limits
//
// Lengths, counts and indexes have one or two bytes, which gives [MaxMessage],
// [MaxKeys] and [MaxPopular]. GameSpy's client sends filters of up to [MaxFilter]
// and lists of fields of up to [MaxFieldList] bytes; both are only limited by
// [MaxMessage]. Our own limits are [MaxRequest] for the messages that masters
// accept, [MaxPart] for the memory of a [MasterStream], and [MaxServers] for a
// [List]; a parameter and Options change them.
//
// # Quirks
//
// A server with the address 255.255.255.255 ends a list whatever its flags are
// (testdata/golden/list_end_flags.hex); GameSpy's masters send 0.
//
// A list has fields or rules of a server. GameSpy's client looks for the end of the
// rules where the fields start, so it fails to read both (list_fields_rules.hex).
// Pushed messages may have both (push_server_all.hex).
//
// A PushServer without fields and rules invalidates those that the client has
// (push_server_cleared.hex).
//
// GameSpy's client sends a MessageRequest in two writes, so it may arrive in two
// pieces (message_request.hex).
//
// The default port 65535 means that the master refuses the request and says why
// (list_error.hex). GameSpy's client then keeps the connection.
//
// The master wfc-server writes neither popular values nor numbers: all keys are
// texts, as in list_latin1.hex.
package sb2

//go:generate go run ../../internal/shells
