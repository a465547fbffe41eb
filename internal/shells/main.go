// Shells writes what follows from the declarations of messages, to shells.go in
// the current directory: the functions that every message has and that differ
// in nothing but names, and the codecs of layouts that tags declare. Each codec
// package runs it by go generate.
//
// A message is a type whose comment ends in the directive
//
//	//wire:message
//
// It has these methods, or one of them if it only goes one way:
//
//	// decode accepts keys in any order.
//	func (m *Status) decode(r *wire.Reader, o Options)
//
//	// append fails if a text is longer than 255 bytes.
//	func (m *Status) append(w *wire.Writer)
//
// or, instead of both, tags that declare its layout; see layout.go, and object.go
// for JSON. Or a package has a type of its own that reads or writes fields, which
// its functions reading(r, o) and writing(w) return, and each message has its
// layout for both directions:
//
//	// layout fails if Port is 0.
//	func (m *StartGame) layout(f *fields)
//
// decode gives ParseStatus and UnmarshalBinary, and a method ParseStatus of
// Options unless its options are the blank parameter; append gives AppendBinary
// and MarshalBinary. The comments of decode and append become part of those of
// the shells: what follows the method's name is said of the shell.
// Parameters of decode after the options become parameters of ParseStatus; then
// there is no UnmarshalBinary, and an ExplainStatus. All other messages share
// the generic function Explain.
//
// An interface that stands for several messages has the directive too, and a
// function that reads any of them:
//
//	// decodeMessage reads a message by its command.
//	func decodeMessage(r *wire.Reader, o Options) Message
//
// A message names the interfaces that it belongs to, and, where they are told
// apart by a key, its key, or several; the interface names the key's type:
//
//	//wire:message Message key=CommandHeartbeat
//	//wire:message Message key=CommandAdd,CommandUpdate
//	//wire:message key=string
//
// A message that names no key has that of its first constant, if it has one.
// The shells then hold the methods that seal the interface, message for
// Message, and messageOf, which decodes the message with a key. A message that
// has only append consists of its key.
//
// Shells also writes the tests that all messages have, to shells_test.go; see
// tests.go. They check that each value has one wire form if the layout allows no
// other, or if the directive says so:
//
//	//wire:message canonical
//
// And it writes the layout of each message to layouts.go, for the package
// documentation, from what golden files show. With the argument formats it writes
// what the program gamequery knows of the messages instead; see formats.go.
package main

//go:generate go -C ../../examples/gamequery run github.com/lobbywire/lobbywire/internal/shells formats

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
)

// The files that Shells writes.
const (
	name       = "shells.go"
	testName   = "shells_test.go"
	layoutName = "layouts.go"
)

// generators return the content of the files for the package in a directory.
var generators = map[string]func(dir string) ([]byte, error){
	name:       generate,
	testName:   generateTests,
	layoutName: generateLayouts,
}

func main() {
	files := generators
	if len(os.Args) > 1 && os.Args[1] == "formats" {
		files = map[string]func(dir string) ([]byte, error){formatName: generateFormats}
	}
	for name, generate := range files {
		text, err := generate(".")
		if err == nil {
			err = os.WriteFile(name, text, 0o644)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "shells:", err)
			os.Exit(1)
		}
	}
}

// generate returns the shells of the package in dir.
func generate(dir string) ([]byte, error) {
	p, err := load(dir)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	p.write(&out)
	return format.Source(out.Bytes())
}
