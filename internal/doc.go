// Package internal describes how to add a message, a protocol or a helper. It
// has no code.
//
// # A message
//
// A message is one file, its tests and its golden files.
//
// The file holds the type with its documentation, its layout and its rules. The
// shortest has the layout in tags:
//
//	// A Ping asks a server for a [Pong].
//	//
//	//wire:message type=TypePing
//	type Ping struct {
//		Time uint32 `wire:"time"` // of the client, in milliseconds; opaque to the server
//	}
//
// Where tags cannot express the layout, the type has two methods instead. Both
// stop working at the first failure, so neither checks for errors:
//
//	// decode accepts a time of 4 or 8 bytes.
//	func (m *Ping) decode(r *wire.Reader, o Options)
//
//	// append fails if the time is 0.
//	func (m *Ping) append(w *wire.Writer)
//
// "go generate ./..." then writes the rest. To shells.go it writes ParsePing,
// Options.ParsePing, AppendBinary, MarshalBinary and UnmarshalBinary, with the
// comments of decode and append. To shells_test.go it writes FuzzPing, and the
// case of TestGolden that holds golden files to the laws. Package
// internal/shells documents directives and tags, package internal/laws the laws.
//
// It also writes layouts.go, the layout of each message for the package
// documentation, made from the golden files, and what gamequery knows of the
// message, so that gamequery decodes, encodes and explains it.
//
// A golden file is a .hex file in testdata/golden, with lines of Message,
// Direction, Shows and Source, and the bytes as "gamequery explain" prints them. Write a
// usual one, one for each quirk of a real program, and one that is invalid. These
// commands write the decoded form beside it, to be checked by hand, the lists of
// golden files and their fields, and the layouts:
//
//	UPDATE_GOLDEN=1 go test ./sqp ./internal/golden
//	go generate ./...
//
// Then x_test.go gets a table of inputs with their values or errors, and a table
// of values that encoding refuses; doc.go gets rows in Strictness and Limits, and
// example_test.go an Example if the message is one that users meet.
//
// # A protocol
//
// A protocol is a folder with the files of sqp: doc.go, limits.go, a file for
// each message, assemble.go or frame.go where it splits or frames messages,
// prop_test.go, fuzz_test.go, bench_test.go, example_test.go and golden files.
// doc.go has the sections Flow, Wire format, Sources, Strictness, Limits and
// Quirks. Tests find the folder by its golden files and hold it to the rules
// below.
//
// It gets a row in README.md and in the documentation of the root package, and a
// file in examples/gamequery.
//
// # A helper
//
// A helper is a package below its codec, named after it with net. The
// documentation of the root package lists the names that all helpers share.
// These packages have the parts: lifecycle, udp and scan for datagrams, stream
// for connections, registry for lists whose entries expire, listcache for
// clients of lists, nettest for tests without sockets.
//
//  1. doc.go has the flow and the sections Safety, Limits with the reason for
//     each default, and Memory. Examples run a server and a client.
//  2. A UDP server has Respond, for games with their own loop.
//  3. Tests run in testing/synctest on nettest, which drops, repeats and delays
//     datagrams. Others send hostile input, use real sockets on loopback, and run
//     real programs of the protocol where they are installed.
//  4. SECURITY.md states the guarantees and names the tests that show them. Package
//     safety has those that concern all servers together: a new one gets an entry in
//     its kinds or lists, and a row in the table of amplification.
//  5. examples/gamequery has its commands.
//
// # What tests check
//
// A codec imports only what the list in imports_test.go allows and does not
// depend on package net. It starts no goroutine, neither panics nor recovers, and
// has no mutable variable and no init function. A helper over TCP depends on no
// package for UDP.
//
// All packages use the same names for the same things (uniform_test.go, and
// uniformnet_test.go for helpers), and every exported name has a comment.
//
// The laws hold for golden files and fuzzed inputs: a decoded message encodes and
// decodes to itself; every prefix of a valid message is truncated or valid;
// appending leaves the bytes before it alone; a result owns its memory; an
// explanation covers every byte and ends in the same error; conversion to JSON
// and back loses nothing.
//
// Allocations have budgets in bench_test.go. Generated files, golden files, their
// index and the files named in documentation agree with each other.
// The code in README.md compiles and runs.
package internal
