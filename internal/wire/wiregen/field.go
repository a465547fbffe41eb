package main

import (
	"fmt"
	"go/token"
	"strconv"
	"strings"
)

// A field is a field of a layout. Its tag gives the name that it has in the
// specification and, unless the Go type is enough, the kind of its wire form:
//
//	Players uint16  `wire:"currentPlayers"`     // big-endian; also int32
//	Flags   Flags   `wire:"flags,le"`           // little-endian
//	ID      [4]byte `wire:"id"`                 // four bytes
//	Name    string  `wire:"serverName,text8"`   // a length byte and the text
//	Map     string  `wire:"map,text0"`          // the text and a zero byte
//	Extra   []byte  `wire:"extra,rest"`         // all bytes up to the end
//	Addr    Addr    `wire:"addr,addr"`          // the package has decodeAddr and appendAddr
//	Level   string  `wire:"level,key"`          // see writeKeyed
//
// Fields are in the order of the wire. The directive gives the constants before
// them. A constant has one byte, or two if it is written with four hexadecimal
// digits:
//
//	//wire:message magic=0xfefd type=TypeQuery
//
// A message ends after its last field, unless the directive names a function
// that reads the rest:
//
//	//wire:message type=TypeQuery end=decodeEnd
//
//	func decodeEnd(r *wire.Reader, o Options)
//
// A message may be in a frame that contains its type. The package has functions that
// read and append the bytes of the frame before and after the fields:
//
//	//wire:message frame=TypePing
//
//	func enter(r *wire.Reader, t Type) (outer int)
//	func leave(r *wire.Reader, outer int)
//	func open(w *wire.Writer, t Type) (at int)
//	func seal(w *wire.Writer, at int)
//
// The directive //wire:layout marks a type that is a part of messages: other bytes may
// follow it.
type field struct {
	at    token.Pos
	name  string // of the Go field
	typ   string // its Go type
	wire  string // its name in the layout
	kind  string // of its wire form; "" if the Go type is enough
	value string // of a constant, or the text after the kind and =

	sizes []string // in the layouts of a message that has several
}

// numbers maps the types of numbers to the types of methods of Reader and Writer.
var numbers = map[string]string{
	"uint8": "uint8", "uint16": "uint16", "uint32": "uint32", "uint64": "uint64",
	"int32": "uint32",
}

// bits returns the size of the constant c.
func (c field) bits() int {
	if strings.HasPrefix(c.value, "0x") && len(c.value) == len("0x0000") {
		return 16
	}
	return 8
}

// constant returns the expression for the value of the constant c.
func (c field) constant() string {
	if c.bits() == 16 {
		return c.value
	}
	return "uint8(" + c.value + ")"
}

// elements returns the field, or the elements of an array. Each is a field with
// the element's type.
func (f field) elements() []field {
	length, typ, ok := strings.Cut(strings.TrimPrefix(f.typ, "["), "]")
	n, err := strconv.Atoi(length)
	if !ok || err != nil {
		return []field{f}
	}
	all := make([]field, n)
	for i := range all {
		all[i] = f
		all[i].typ = typ
		all[i].name += fmt.Sprintf("[%d]", i)
		all[i].wire += fmt.Sprintf("[%d]", i)
	}
	return all
}
