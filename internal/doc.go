// Package internal contains no code. It describes how to add a message, a protocol or a
// helper.
//
//   - wire and wire/wirejson: compiled into codecs
//   - wire/wiregen: generates the code of messages from their declarations
//   - test: used by tests only
//   - api: lists what the library exports
//   - the other folders: compiled into helpers
//
// # A message
//
// A message is one file, its tests and its golden files.
//
// The file contains the type with its documentation, its layout and its rules.
// In the simplest case, struct tags give the layout, and TypePing is a constant of the
// package:
//
//	// A Ping asks a server for a [Pong].
//	//
//	//wire:message type=TypePing
//	type Ping struct {
//		Time uint32 `wire:"time"` // of the client, in milliseconds; opaque to the server
//	}
//
// If tags cannot express the layout, the type has two methods instead. The
// Reader and the Writer remember the first failure and ignore everything after
// it, so the methods need not check for errors:
//
//	// decode accepts a time of 4 or 8 bytes.
//	func (m *Ping) decode(r *wire.Reader, o Options)
//
//	// append fails if the time is 0.
//	func (m *Ping) append(w *wire.Writer)
//
// If a function decodes all messages of a direction, such as the one for Request in sqp,
// add the new message there.
//
// "go generate ./..." then generates the rest. It writes ParsePing, Options.ParsePing and
// AppendBinary to zz_generated.go, with the comments of decode and append. It writes to
// zz_generated_test.go: FuzzPing; a case of TestEachMessageIsTested, which fails until the
// message has golden files and a table of values that encoding refuses; and a case of
// TestGoldenFilesObeyTheLaws, which checks the laws, properties of all messages that are
// listed below. Package internal/wire/wiregen documents the directives and tags, and
// package internal/test/codectest the laws.
//
// It also writes layouts.go, which adds the layout of each message to the package documentation,
// and a table for gamequery, which decodes, encodes and explains the message with it.
//
// A golden file is a .hex file in testdata/golden. It starts with the lines Message,
// Direction, Shows and Source. The bytes follow, as "gamequery explain" prints them.
// Write golden files for a usual message, for each quirk of a real program, and for
// an invalid message. The following commands write the decoded form of each to a
// .json file, which you must check by hand. They also write the lists of golden
// files and of their fields, and the layouts:
//
//	UPDATE_GOLDEN=1 go test ./sqp ./internal/test/golden
//	go generate ./...
//
// A message or list entry that describes a server also has a method View, in view.go, which
// documents the source of each field. The first command above writes the views of all
// golden files to testdata/views.json.
//
// Then write ping_test.go, with a table of inputs and their values or errors, and
// a table of values that encoding refuses. Add rows to Strictness and Limits in
// doc.go, and an Example to example_test.go if users handle the message directly.
//
// # A protocol
//
// A protocol is a folder with the same files as sqp: doc.go, limits.go, one
// file for each message, assemble.go if messages are split into datagrams,
// frame.go if they are framed in a stream, prop_test.go, fuzz_test.go,
// bench_test.go, example_test.go and golden files. doc.go has the sections
// Flow, Wire format, Sources, Strictness, Limits and Quirks. Tests find the
// folder by its golden files and check the rules below.
//
// Add it to the tables in README.md and in the documentation of the root package,
// and add a file for it to examples/gamequery.
//
// # A helper
//
// A helper is a package below its codec, named after it with net. The documentation of the
// root package lists the names that all helpers share. It is built from internal packages:
// lifecycle for Serve, Run, Status and Close; udp and scan for datagrams; limit for rate
// limits; source for limits by address; stream for connections; registry for lists whose
// entries expire; refusals for the field Refused; registration for servers that register
// with masters over UDP; listcache for clients that fetch lists; fit for SetView; and
// nettest for tests without sockets. Code for one family is in the internal packages of the
// family.
//
//  1. doc.go has the sections Flow, Safety, Limits (with the reason for each
//     default) and Memory. Examples run a server and a client.
//  2. A UDP server has Respond, for games with their own loop.
//  3. Package laws contains the tests that all helpers must pass: describe the helper by
//     one value, and write tests for the rest of its protocol. They run in
//     testing/synctest on nettest, which drops, repeats and delays datagrams. Other tests
//     send hostile input, use real sockets on loopback, and run real programs of the
//     protocol with package querytools, if they are installed. Package suite documents
//     when such tests run.
//  4. SECURITY.md states the guarantees and names tests that check them. Package
//     safety tests all servers together: add a new server to its kinds or lists, and
//     to the table of amplification.
//  5. examples/gamequery has commands for it.
//
// # What tests check
//
// A codec imports only what the list in imports_test.go allows and does not
// depend on package net. It starts no goroutine, neither panics nor recovers, and
// has no mutable variable and no init function. A helper for TCP depends on no
// package for UDP.
//
// All packages use the same names for the same things (uniform_test.go, and
// uniformnet_test.go for helpers), and every exported name has a comment.
//
// The laws hold for golden files and fuzzed inputs: a decoded message, encoded again,
// decodes to itself or is refused, with two exceptions that package codectest names; every
// prefix of a valid message is truncated or valid; Strict accepts encoded messages, and
// nothing that the default refuses; parsing allocates at most 64 times the bytes of the
// input and a constant, even if records are repeated; appending does not change the bytes
// before it; a result shares no memory with the input; an explanation covers every byte and
// has the same error as parsing; conversion to JSON and back loses nothing.
//
// bench_test.go limits the allocations of each function. Other tests check that
// generated files are up to date, that the index lists all golden files, that
// every file named in the documentation exists, and that the code in README.md
// compiles and runs.
package internal
