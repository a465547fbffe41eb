// Package qr2 encodes and decodes the messages with which game servers register at
// a master of GameSpy, over UDP. GameSpy called the protocol Query & Reporting 2.
// Battlefield 2, Crysis, Unreal Tournament 3, SWAT 4, games of the Wii and many
// others speak it, today with masters that communities run. Package gamespy2 has
// the queries of clients to servers.
//
// # Flow
//
//	server                                  master
//	  | AvailabilityRequest                   |
//	  |-------------------------------------->|
//	  |                    AvailabilityAnswer |
//	  |<--------------------------------------|
//	  | Heartbeat            StateStart       |  again every 10 s, 4 in total,
//	  |-------------------------------------->|  until the master answers
//	  |                             Challenge |
//	  |<--------------------------------------|
//	  | ChallengeAnswer                       |
//	  |-------------------------------------->|
//	  |                            Registered |  the master lists the server
//	  |<--------------------------------------|
//	  | Heartbeat                             |  every 60 s, and after a change,
//	  |-------------------------------------->|  at most every 10 s
//	  | Keepalive                             |  20 s after the last of either
//	  |-------------------------------------->|
//	  |                       KeepaliveAnswer |
//	  |<--------------------------------------|
//	  |                         ClientMessage |  from a client that the master
//	  |<--------------------------------------|  passes on
//	  | ClientMessageAck                      |
//	  |-------------------------------------->|
//	  | Heartbeat            StateShutdown    |  the master removes the server
//	  |-------------------------------------->|
//
// The server sends from the socket on which it answers queries, so the source
// address of a heartbeat is the one that clients query. A master that does not list
// the server sends [AddError]. Clients send an [AvailabilityRequest] before they
// request a list. The SDK takes any datagram that starts like one of a master for the
// answer to its first heartbeats, even a KeepaliveAnswer.
//
// The first byte of a datagram to a master is its type. Other protocols of GameSpy
// may use the same port; their first bytes are a backslash, a semicolon, or FD.
// Datagrams to a server start with the two bytes of queries, FE FD, and then the
// type.
//
// # Wire format
//
// Numbers are big-endian. A text ends with a zero byte. All messages except those
// about availability have the instance key, 4 bytes that the server chooses when it
// starts. It ignores a [Challenge], [AddError] and [ClientMessage] with another one.
//
// The section Messages, at the end, shows each layout.
//
// # Sources
//
// The source code of the GameSpy SDK of 2007; its sample programs, a server and a
// browser, recorded with a master that both accept; and how the masters openspy-core,
// wfc-server and dwc_network_server_emulator behave.
//
// # Strictness
//
//	                                      by default       Options.Strict
//	bytes after a message                 ignored          ErrTrailing
//	heartbeat:
//	  it ends after the keys or players   accepted         accepted
//	  1 or 2 bytes in place of a table    ignored          ErrTruncated
//	  it ends in a table                  ErrTruncated     ErrTruncated
//	  rows of no columns                  none             ErrInvalid
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
// GameSpy's code sends heartbeats of at most 1400 bytes ([MaxHeartbeat]) and answers
// challenges of at most 64 characters ([MaxChallenge]). The limits for a table are
// those of package gamespy2, MaxColumns and MaxTableValues. [MaxText] limits other
// texts. The last three limits are ours.
//
// # Quirks
//
// A heartbeat ends after its keys if its tables do not fit (heartbeat_keys.hex) or
// if the server stops (heartbeat_shutdown.hex). It may end in a row count with
// nothing behind it (heartbeat_count.hex). Keys whose names a game has not
// registered are all called unknown (heartbeat_duplicate_keys.hex). The value of
// publicip is the address as a number in the byte order of the server
// (heartbeat_public.hex).
//
// Masters answer a keepalive in three forms (keepalive_answer.hex,
// keepalive_answer_key.hex, keepalive_answer_zeros.hex).
//
// The answer of a server to a challenge request of package gamespy2 has the type of
// an AvailabilityRequest, but it has an id where that has zeros
// (unknown_challenge_response.hex).
package qr2

//go:generate go run ../../internal/shells
