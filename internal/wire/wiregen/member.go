package main

import (
	"go/ast"
	"go/token"
	"strings"
)

// A member is a member of a JSON object. The directive //wire:object marks an object that
// is part of messages, and //wire:envelope the type that messages in JSON embed.
//
// Tags name the members of an object, in the order of appending. The kind of a member follows from
// its type, or from a word after the name:
//
//	Name    string      `wire:"name"`                    // a text
//	IsOpen  bool        `wire:"isOpen"`                  // true or false
//	Score   int64       `wire:"score"`                   // a number, read by decodeInt64
//	Mode    Mode        `wire:"mode,must=valid"`         // an int, read by decodeInt
//	Host    netip.Addr  `wire:"host"`                    // a text with an IP address without a zone
//	Port    uint16      `wire:"port,port"`               // by decodePort and appendPort
//	Minutes int         `wire:"minutes,range=2..10"`     // a number, read by decodeRange
//	Players PlayerCount `wire:"players"`                 // another object
//	Servers []Server    `wire:"servers,max=MaxServers"`  // an array of objects; more are too large
//	Names   []string    `wire:"names,names"`             // by decodeNames and appendNames
//	Title   string      `wire:"title,max=MaxTitle"`      // a text; more bytes are too large
//	Best    *Server     `wire:"best,omitzero"`           // another object, which may be missing
//	Fields  Fields      `wire:",inline"`                 // the members of another object
//	Extra   map[string]json.RawMessage                   // members that no tag names
//
// The package supplies the functions of these kinds:
//
//	func decodePort(j *wirejson.Reader, o Options) uint16
//	func appendPort(w *wire.Writer, field string, v uint16)
//	func decodeInt(j *wirejson.Reader, o Options) int
//	func decodeRange[T ~int](j *wirejson.Reader, o Options, low, high T) T
//
// A kind without an append function is appended by its type. An int needs a range
// or a rule, so that decodeInt accepts every value that is appended.
//
// More words may follow, in any order:
//
//	must=F    F reports whether the value is valid; a function of the value, or of
//	          the value and Options, or a method of the value or of the message
//	should=F  the same, but without Strict, decode accepts invalid values
//	          The package declares the reason for which F refuses a value as a constant
//	          of type wire.Invalid: FFault, or TFault if F is a method of the type T.
//	must      the rules of another object hold even without Strict
//	plain     the rule refuses all bytes that JSON escapes and all that are not ASCII, so a
//	          text is appended without another check
//	omitzero  the member may be missing, and is left out if zero
//	lenient   the member may be missing unless Strict
//
// A message in JSON embeds the type with the directive
//
//	//wire:envelope in=content
//
// which gives the path of the object in the envelope. If that type has the field
// Extra, messages need none. The package supplies the
// functions that read and append the rest of the envelope:
//
//	func openEnvelope(r *wire.Reader, j *wirejson.Reader, o Options, key string, bare bool, e *Envelope) envelopeReader
//	func (e *envelopeReader) next() bool // goes to the object
//	func appendStart(w *wire.Writer, key string)
//	func appendEnd(w *wire.Writer, e *Envelope)
//
// A message is bare if it has no members. Then this function appends all of it:
//
//	func appendBare(w *wire.Writer, key string, extra map[string]json.RawMessage, e *Envelope)
//
// If the key is a member of the object, as with
//
//	//wire:envelope in=lobbyquery.query key=command
//
// there are no bare messages, and openEnvelope and appendStart get no key.
//
// A message that is a JSON object itself has no envelope:
//
//	//wire:message object
//
// It may begin with members that are constants, as with
//
//	//wire:message object type=headerType
//
// The package supplies the functions that check its size:
//
//	func openObject(r *wire.Reader, o Options) wirejson.Reader
//	func closeObject(w *wire.Writer)
//
// If the package has decode and append of such a message, the object is only a part of
// it, and these methods call
//
//	func (m *X) decodeObject(j *wirejson.Reader, o Options, strict bool)
//	func (m *X) appendObject(w *wire.Writer)
//
// An object that is only part of others, in line, has no codec of its own.
type member struct {
	name     string // in JSON
	at       token.Pos
	field    string // path of the Go field; "" for a constant
	typ      string // type of the field, without * if it is a pointer
	pointer  bool
	constant string // the text of a constant
	kind     string // how it is written; "" if the type says so
	low      string // of a range
	high     string
	rule     string // reports whether the value is valid
	always   bool   // the rule holds even if not Strict
	max      string // of elements
	omitZero bool
	lenient  bool
	plain    bool // the rule admits only ASCII without escapes
}

// isArray reports whether x is an array of objects.
func (x member) isArray() bool { return strings.HasPrefix(x.typ, "[]") && x.kind == "" }

// isExtra reports whether f holds the members that no tag names.
func isExtra(f *ast.Field) bool { return len(f.Names) == 1 && f.Names[0].Name == "Extra" }
