package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// A member is a member of a JSON object. The directive //wire:object marks an object that
// is part of messages, and //wire:envelope the type that messages in JSON embed.
//
// Tags name the members of an object in the order in which they are appended.
// The kind of a member follows from its type, or from a word after the name:
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
// An object that is only part of others, in line, has no codec of its own:
//
//	//wire:object inline
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

// loadObjects finds the members of JSON objects, once all types are known.
func (p *codec) loadObjects() error {
	for _, m := range p.messages {
		if m.fieldList == nil {
			continue
		}
		m.inEnvelope = p.envelope.name != "" && slices.ContainsFunc(m.fieldList.List, func(f *ast.Field) bool {
			return len(f.Names) == 0 && types.ExprString(f.Type) == p.envelope.name
		})
		m.isObject = m.isObject || m.inEnvelope
	}
	for _, m := range p.messages {
		if !m.isObject {
			continue
		}
		if m.inEnvelope && p.envelope.hasExtra {
			m.extraField = "Extra"
		}
		if m.fieldList == nil {
			return p.mistake(m.at, m.name, "an object must be a struct")
		}
		if err := p.addMembers(m, m.fieldList, ""); err != nil {
			return err
		}
		for i, c := range m.consts {
			m.json = slices.Insert(m.json, i, member{name: c.wire, constant: c.value})
		}
		key := p.envelope.key
		hasKey := slices.ContainsFunc(m.json, func(x member) bool { return x.name == key })
		if m.inEnvelope && key != "" && !hasKey {
			m.json = slices.Insert(m.json, 0, member{name: key, constant: m.key})
		}
	}
	return p.checkObjects()
}

// maxMembers is the most that package wirejson reads of an object.
const maxMembers = 32

// checkObjects fails if package wirejson cannot read an object, or cannot give the path of
// a field in errors: a path consists of an element of an array, an object in it, an object
// in that object, and a member of that one.
func (p *codec) checkObjects() error {
	for _, m := range p.messages {
		if len(m.json) > maxMembers {
			return p.mistake(m.at, m.name, "has %d members; %d are allowed", len(m.json), maxMembers)
		}
		if m.inline {
			continue
		}
		for _, x := range m.json {
			if x.isArray() && m.part {
				return p.mistake(x.at, m.name+"."+x.field,
					"is an array in an object, which only messages and objects with the word inline can have")
			}
		}
		if p.isDeeper(m, 2) {
			return p.mistake(m.at, m.name, "objects nest deeper than three")
		}
	}
	return nil
}

// isDeeper reports whether objects nest deeper than that in m.
func (p *codec) isDeeper(m *message, depth int) bool {
	return slices.ContainsFunc(m.json, func(x member) bool {
		inner := p.objectNamed(x.typ)
		return inner != nil && (depth == 0 || p.isDeeper(inner, depth-1))
	})
}

// addMembers adds the members that the tags of fields name. prefix leads to the
// fields from m.
func (p *codec) addMembers(m *message, fields *ast.FieldList, prefix string) error {
	if slices.ContainsFunc(fields.List, isExtra) {
		m.extraField = prefix + "Extra"
	}
	tagged, err := p.taggedFields(m.name, fields)
	if err != nil {
		return err
	}
	for _, f := range tagged {
		what := m.name + "." + f.name
		if f.wire == ",inline" {
			inner := p.objectNamed(f.typ)
			if inner == nil {
				return p.mistake(f.at, what, "%s is inline and not a type with the directive //%s", f.typ,
					directiveObject)
			}
			if err := p.addMembers(m, inner.fieldList, prefix+f.name+"."); err != nil {
				return err
			}
			continue
		}
		x, err := p.newMember(what, f)
		if err != nil {
			return err
		}
		x.field = prefix + f.name
		m.json = append(m.json, x)
	}
	return nil
}

// isExtra reports whether f holds the members that no tag names.
func isExtra(f *ast.Field) bool { return len(f.Names) == 1 && f.Names[0].Name == "Extra" }

// wordsOfMember are the words that may follow the name in the tag of a member, besides
// the kinds of the package.
var wordsOfMember = []string{"must", "must=", "should=", "max=", "range=", "omitzero", "lenient", "plain"}

// newMember returns the member that f declares.
func (p *codec) newMember(what string, f taggedField) (x member, err error) {
	words := strings.Split(f.wire, ",")
	x.name, x.at = words[0], f.at
	x.typ, x.pointer = strings.CutPrefix(f.typ, "*")
	var seen []string
	for _, argument := range words[1:] {
		word, value, isPair := strings.Cut(argument, "=")
		if slices.Contains(seen, word) || isPair && value == "" {
			return x, p.mistake(f.at, what, "the tag has %s twice or without a value", argument)
		}
		seen = append(seen, word)
		if isPair {
			word += "="
		}
		switch word {
		case "must":
			x.always = true
		case "must=":
			x.rule, x.always = value, true
		case "should=":
			x.rule = value
		case "omitzero":
			x.omitZero = true
		case "lenient":
			x.lenient = true
		case "plain":
			x.plain = true
		case "max=":
			x.max = value
		case "range=":
			x.kind = "range"
			x.low, x.high, _ = strings.Cut(value, "..")
		default:
			kinds := p.kindsOfJSON()
			if x.kind != "" || !slices.Contains(kinds, argument) {
				return x, p.mistake(f.at, what,
					"unknown word %s in the tag; known are %s, and one of the package's kinds: %s",
					argument, strings.Join(wordsOfMember, ", "), cmp.Or(strings.Join(kinds, ", "), "none here"))
			}
			x.kind = argument
		}
	}
	return x, p.checkMember(what, x)
}

// kindsOfJSON returns the kinds of the package: those of its functions decodeX that
// read JSON.
func (p *codec) kindsOfJSON() (kinds []string) {
	for name, f := range p.functions {
		kind, ok := strings.CutPrefix(name, "decode")
		if ok && kind != "" && len(f.Type.Params.List) > 0 &&
			types.ExprString(f.Type.Params.List[0].Type) == "*wirejson.Reader" {
			kinds = append(kinds, lower(kind))
		}
	}
	slices.Sort(kinds)
	return kinds
}

// checkMember fails if x has a type that no function reads, or a word that does not fit
// its type.
func (p *codec) checkMember(what string, x member) error {
	base := p.base(x.typ)
	isObject := p.objectNamed(x.typ) != nil
	isArray := x.isArray()
	switch {
	case x.name == "":
		return p.mistake(x.at, what, "the tag names no member")
	case x.kind == "range" && (x.low == "" || x.high == ""):
		return p.mistake(x.at, what, "the tag has a range that is not LOW..HIGH")
	case x.max != "" && base != "string" && !strings.HasPrefix(base, "[]") && !strings.HasPrefix(base, "map["):
		return p.mistake(x.at, what, "max= is for texts and lists, not for %s", x.typ)
	case x.plain && (base != "string" || x.rule == ""):
		return p.mistake(x.at, what, "plain is for texts with must= or should=")
	case base == "int" && x.kind == "" && x.rule == "":
		return p.mistake(x.at, what,
			"an int needs range=, must=, should= or a kind, so that every value that is appended can be read")
	case isArray && p.objectNamed(strings.TrimPrefix(x.typ, "[]")) == nil:
		return p.mistake(x.at, what, "%s is an array of no object with a directive; name a kind of the package: %s",
			x.typ, strings.Join(p.kindsOfJSON(), ", "))
	case x.always && x.rule == "" && !isObject:
		return p.mistake(x.at, what, "must without a rule is for objects, not for %s", x.typ)
	case isObject || isArray || x.kind != "" || base == "string" || base == "bool" || base == "netip.Addr":
		return nil
	case p.functions["decode"+upper(base)] == nil:
		return p.mistake(x.at, what, "%s has no form of its own; name a kind of the package: %s", x.typ,
			strings.Join(p.kindsOfJSON(), ", "))
	}
	return nil
}

// isArray reports whether x is an array of objects.
func (x member) isArray() bool { return strings.HasPrefix(x.typ, "[]") && x.kind == "" }

// objectNamed returns the object that is the Go type typ, or nil.
func (p *codec) objectNamed(typ string) *message {
	for _, m := range p.messages {
		if m.isObject && m.name == typ {
			return m
		}
	}
	return nil
}

// writeObject writes the list of members, the smallest size and the codec of an
// object, except what the package has by hand.
func (p *codec) writeObject(out *bytes.Buffer, m *message) {
	isPart := m.decode != nil && m.append != nil // by hand
	if m.inline || isPart && m.inEnvelope {
		return
	}
	var names []string
	for _, x := range m.json {
		names = append(names, strconv.Quote(x.name))
	}
	fmt.Fprintf(out, "\n// %[1]s are the members of %[2]s.\nvar %[1]s = [...]string{%[3]s}\n",
		m.memberList(), m.name, strings.Join(names, ", "))
	if p.isElement(m) {
		fmt.Fprintf(out, "\n// min%[1]s is the size of the smallest %[1]s.\nconst min%[1]s = len(`%[2]s`)\n", m.name,
			p.smallest(m))
	}
	if isPart {
		part := *m
		part.part = true
		p.writeDecodeObject(out, &part, "decodeObject")
		p.writeAppendObject(out, &part, "appendObject")
		return
	}
	if m.decode == nil {
		p.writeDecodeObject(out, m, "decode")
	}
	if m.append == nil {
		p.writeAppendObject(out, m, "append")
	}
}

// isElement reports whether there are arrays of m.
func (p *codec) isElement(m *message) bool {
	return slices.ContainsFunc(p.messages, func(outer *message) bool {
		return slices.ContainsFunc(outer.json, func(x member) bool { return x.typ == "[]"+m.name })
	})
}

// memberList returns the name of the list of members.
func (m *message) memberList() string { return lower(m.name) + "Members" }

// smallest returns the smallest object, in which each value has the fewest bytes
// of its kind.
func (p *codec) smallest(m *message) string {
	var parts []string
	for _, x := range m.json {
		if x.omitZero || x.lenient {
			continue
		}
		value := "0"
		inner := p.objectNamed(x.typ)
		switch {
		case inner != nil:
			value = p.smallest(inner)
		case x.isArray():
			value = "[]"
		case p.base(x.typ) == "bool":
			value = "true"
		case p.base(x.typ) == "string":
			value = `""`
		}
		parts = append(parts, `"`+x.name+`":`+value)
	}
	return "{" + strings.Join(parts, ",") + "}"
}
