// Wiregen generates code for the messages of the codec package in the current
// directory. It writes three files:
//
//	zz_generated.go       the functions that every message has, such as ParseX and
//	                      AppendBinary, and the codecs of layouts that tags declare
//	zz_generated_test.go  the tests that every message has; see tests.go
//	layouts.go            the layouts of the messages, for the package documentation
//
// It also writes the table of all messages in the program gamequery, see formats.go.
//
// Unknown directives, words and kinds are errors. Each names the file, the line, the type
// and the field, and what is allowed.
//
// # Messages
//
// A message is a type whose comment ends with a directive:
//
//	//wire:message
//
// Its codec consists of two methods. A message that programs only read, or only
// write, has one of them:
//
//	// decode accepts keys in any order.
//	func (m *Status) decode(r *wire.Reader, o Options)
//
//	// append fails if a text is longer than 255 bytes.
//	func (m *Status) append(w *wire.Writer)
//
// A message with decode gets ParseStatus and, unless the options are the blank parameter,
// Options.ParseStatus. One with append gets AppendBinary. Their comments repeat the comments of
// decode and append, except the name of the method.
//
// Parameters of decode after the options become parameters of ParseStatus. Such a
// message gets a function ExplainStatus. All other messages share the generic function
// Explain.
//
// # Layouts
//
// Tags can declare the layout of a message instead of the methods. They are documented
// in field.go and, for JSON, in member.go. A message can have several layouts, see
// variants.go.
//
// A package with two encodings can also have a type fields, which reads or writes fields.
// The function reading(r *wire.Reader, o *Options) returns fields that read, and fields{w:
// w} writes. Then one method is the codec of a message:
//
//	// layout fails if Port is 0.
//	func (m *StartGame) layout(f *fields)
//
// The function messageOf, see below, then has a parameter f in place of r and o.
//
// # Interfaces
//
// An interface that stands for several messages has the directive too. A function
// decodes any of them:
//
//	// decodeMessage reads a message by its command.
//	func decodeMessage(r *wire.Reader, o Options) Message
//
// The directive of a message names the interfaces to which it belongs. If a key
// distinguishes the messages of an interface, the directive of the interface names the
// type of the key, and the directive of a message names its key or keys:
//
//	//wire:message key=string
//	//wire:message Message key=commandHeartbeat
//	//wire:message Message key=commandAdd,commandUpdate
//
// Instead of a key, a directive may give the value of a string. The package then gets
// the constant commandHeartbeat for
//
//	//wire:message Message command=xxHeartbeat
//
// By default, the key of a message is the first constant of its layout. The generated
// function messageOf decodes the message with a given key. A message that has only
// append consists of its key. An interface without a directive only has the messages as
// members.
//
// # Canonical messages
//
// The generated tests check that each value has only one wire form if the layout allows
// no other, or if the directive requires it:
//
//	//wire:message canonical
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
)

// generators return the contents of these files for the package in a directory.
var generators = map[string]func(dir string) ([]byte, error){
	codeFile:   generate,
	testFile:   generateTests,
	layoutFile: generateLayouts,
}

func main() {
	if err := writeAll("."); err != nil {
		fmt.Fprintln(os.Stderr, "wiregen:", err)
		os.Exit(1)
	}
}

// writeAll writes the files of the package in dir, and the table of gamequery, which lists
// the messages of all packages.
func writeAll(dir string) error {
	for name, generate := range generators {
		text, err := generate(dir)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	root, _, _, err := moduleOf(dir)
	if err != nil {
		return err
	}
	text, err := generateFormats(root)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, formatPath), text, 0o644)
}

// generate returns the code of the messages of the package in dir.
func generate(dir string) ([]byte, error) {
	p, err := load(dir)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	p.write(&out)
	return format.Source(out.Bytes())
}
