// Package qr2 encodes and decodes the messages with which game servers register with a
// GameSpy master, over UDP. GameSpy called the protocol Query & Reporting 2. Battlefield 2,
// Crysis, Unreal Tournament 3, SWAT 4, Wii games and many others use it, today with masters
// run by communities. Package gamespy2 is the codec of queries from clients to servers.
//
// # Flow
//
//	server                                  master
//	  | AvailabilityRequest                   |
//	  |-------------------------------------->|
//	  |                    AvailabilityAnswer |
//	  |<--------------------------------------|
//	  | Heartbeat            StateStart       |  repeated every 10 s, up to
//	  |-------------------------------------->|  4 times, until an answer arrives
//	  |                             Challenge |
//	  |<--------------------------------------|
//	  | ChallengeAnswer                       |
//	  |-------------------------------------->|
//	  |                            Registered |  the master lists the server
//	  |<--------------------------------------|
//	  | Heartbeat                             |  every 60 s, and after a change
//	  |-------------------------------------->|  but at most every 10 s
//	  | Keepalive                             |  20 s after the last heartbeat
//	  |-------------------------------------->|
//	  |                       KeepaliveAnswer |
//	  |<--------------------------------------|
//	  |                         ClientMessage |  forwarded from a client
//	  |<--------------------------------------|
//	  | ClientMessageAck                      |
//	  |-------------------------------------->|
//	  | Heartbeat            StateShutdown    |  the master removes the server
//	  |-------------------------------------->|
//
// The server sends from the socket on which it answers queries, so clients query the source
// address of a heartbeat. A master that refuses to list the server sends [AddError].
// Clients send an [AvailabilityRequest] before they request a list. The SDK accepts any
// datagram that starts like a master's as the answer to its first heartbeats, even a
// KeepaliveAnswer.
//
// A datagram to a master starts with its type, one byte. Other GameSpy protocols
// may use the same port; their datagrams start with a backslash, a semicolon, or
// FD. A datagram to a server starts with FE FD, as queries do, followed by the
// type.
//
// # Wire format
//
// Numbers are big-endian. A text ends with a zero byte. All messages except those about
// availability contain the instance key, 4 bytes that the server chooses when it starts.
// The server ignores a [Challenge], [AddError] or [ClientMessage] with another key.
//
// The section Messages, at the end, shows each layout.
//
// # Sources
//
// The source code of the GameSpy SDK of 2007; its sample programs, a server and a
// browser, recorded with a master that both accept; and the behaviour of the masters
// openspy-core, wfc-server and dwc_network_server_emulator.
//
// # Strictness
//
//	                                      by default       Options.Strict
//	bytes after a message                 ignored          ErrTrailing
//	heartbeat:
//	  ends after the keys or players      accepted         accepted
//	  1 or 2 bytes in place of a table    ignored          ErrTruncated
//	  ends within a table                 ErrTruncated     ErrTruncated
//	  rows without columns                dropped          ErrInvalid
//	  over 1400 bytes                     accepted         ErrTooLarge
//	  duplicate keys, empty values        kept             kept
//	  text that is not UTF-8              kept             kept
//	challenge over 64 characters          ErrTooLarge      ErrTooLarge
//	availability request with a key       ErrInvalid       ErrInvalid
//	unknown bits of availability          kept             kept
//	unknown type                          Unknown          Unknown
//
// # Limits
//
// See [MaxHeartbeat]. MaxColumns and MaxTableValues of package gamespy2 limit a table.
//
// # Quirks
//
// A heartbeat ends after its keys if its tables do not fit (heartbeat_keys.hex) or
// if the server stops (heartbeat_shutdown.hex). It may end in a row count with
// nothing after it (heartbeat_count.hex). Keys whose names the game has not
// registered with the SDK are all called unknown (heartbeat_duplicate_keys.hex).
// The value of publicip is the address as a number in the server's native byte
// order (heartbeat_public.hex).
//
// Masters answer a keepalive in three forms (keepalive_answer.hex,
// keepalive_answer_key.hex, keepalive_answer_zeros.hex).
//
// A server's answer to a challenge request of package gamespy2 has the type of an
// AvailabilityRequest, but an id where an AvailabilityRequest has zeros
// (unknown_challenge_response.hex).
package qr2

//go:generate go run ../../internal/wire/wiregen
