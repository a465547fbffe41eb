package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A codec is a package and its messages.
type codec struct {
	name      string
	messages  []*message               // types with a directive, sorted by name
	tests     map[string]directive     // declarations of its tests with a directive, by name
	types     map[string]string        // underlying types by name
	functions map[string]*ast.FuncDecl // by name; methods by Type.name
	fails     map[string]string        // why a function appendX fails, by its name
	values    map[string]bool          // names of constants and variables
	envelope  envelope

	files  *token.FileSet
	placed map[token.Pos]bool // the directives that belong to a declaration
}

// An envelope is the JSON around the object of each message.
type envelope struct {
	name string // of the type that messages embed; "" if the package has none
	in   string // path of the object in the envelope
	key  string // the member of the object that is the key, if it is a member

	hasExtra bool // the type has the field Extra, for unknown members of the object
}

// A message is a type with a directive.
type message struct {
	name    string
	at      token.Pos
	doc     string   // its comment
	part    bool     // of messages; it gets no ParseX and no AppendBinary
	union   bool     // an interface that stands for several messages
	members []string // names of the interfaces to which it belongs
	key     string   // its key, or the type of the keys of a union
	command string   // the value of its key, if that is a constant to declare

	canonical bool           // each value has one wire form
	fieldList *ast.FieldList // of the struct; nil if it is none

	binary // its layout, if it is bytes
	object // its layout, if it is JSON

	decode, append, layout *ast.FuncDecl // nil if there is none
}

// A binary is a layout in bytes.
type binary struct {
	consts   []field // constants before the fields
	fields   []field // with tags, in order
	keyed    []field // with tags of the kind key, in order
	end      string  // the function that reads the bytes after the fields, or ""
	frame    string  // its type in a frame; "" if it has no frame
	variants string  // its layouts, if it has several
}

// An object is a layout in JSON.
type object struct {
	isObject   bool // the layout is a JSON object
	inEnvelope bool // the object is in an envelope
	inline     bool // the object is only part of others, in line
	json       []member
	extraField string // path of the field for unknown members, or ""
}

// hasDecode reports whether the message can be read.
func (m *message) hasDecode() bool { return m.decode != nil || m.layout != nil || m.hasLayout() }

// hasAppend reports whether the message can be appended.
func (m *message) hasAppend() bool { return m.append != nil || m.layout != nil || m.hasLayout() }

// hasLayout reports whether tags or the directive declare the layout.
func (m *message) hasLayout() bool {
	return m.isObject || m.frame != "" || len(m.consts)+len(m.fields) > 0
}

// parameters are the parameters of decode after the options.
type parameters struct {
	declared string // as ", chunks Chunks"
	names    string // as ", chunks"
}

func (m *message) extra() (p parameters) {
	if m.decode == nil {
		return p
	}
	for i, field := range m.decode.Type.Params.List {
		if i < 2 {
			continue
		}
		for _, id := range field.Names {
			p.declared += ", " + id.Name + " " + types.ExprString(field.Type)
			p.names += ", " + id.Name
		}
	}
	return p
}

// hasOptions reports whether decode uses its options.
func (m *message) hasOptions() bool {
	if m.decode == nil {
		return m.isObject || m.end != "" || m.layout != nil
	}
	if len(m.decode.Type.Params.List) < 2 {
		return false
	}
	return m.decode.Type.Params.List[1].Names[0].Name != "_"
}

// keyed returns the messages of a union that have keys.
func (p *codec) keyed(union *message) (all []*message) {
	for _, m := range p.messages {
		if m.key != "" && slices.Contains(m.members, union.name) {
			all = append(all, m)
		}
	}
	return all
}

// base returns the underlying type of typ.
func (p *codec) base(typ string) string {
	for p.types[typ] != "" {
		typ = p.types[typ]
	}
	return typ
}

// isNumber reports whether f is a number, not a text.
func (p *codec) isNumber(f field) bool { return numbers[p.base(f.typ)] != "" }

// objectNamed returns the object that is the Go type typ, or nil.
func (p *codec) objectNamed(typ string) *message {
	for _, m := range p.messages {
		if m.isObject && m.name == typ {
			return m
		}
	}
	return nil
}

// memberList returns the name of the list of members.
func (m *message) memberList() string { return lower(m.name) + "Members" }

// A directive is a comment such as //wire:message canonical.
type directive struct {
	name      string // without the slashes; "" if there is none
	arguments []string
	pos       token.Pos
}
