package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A field is one field of a layout. Its tag names it as the specification does,
// and then how it is written where the Go type does not say so:
//
//	Players uint16 `wire:"currentPlayers"`     // big-endian
//	Flags   Flags  `wire:"flags,le"`           // little-endian
//	Name    string `wire:"serverName,text8"`   // after its length, one byte
//	Map     string `wire:"map,text0"`          // before a zero byte
//	Host    string `wire:"host,fixed=40"`      // filled with zero bytes
//	Extra   []byte `wire:"extra,rest"`         // up to the end
//	Addr    Addr   `wire:"addr,addr"`          // by decodeAddr and appendAddr
//
// Fields stand in the order of the wire. Before them come the constants that
// the directive names, of one byte each:
//
//	//wire:message type=TypeQuery
//
// A message ends after its last field; with //wire:layout a type is a part of
// messages, and more may follow.
type field struct {
	name  string // of the Go field
	typ   string // its Go type
	wire  string // its name in the layout
	kind  string // how it is written; "" if the type says so
	value string // of a constant, or what follows the kind and =
}

// fieldsOf returns the fields of s that have tags.
func fieldsOf(s *ast.StructType) ([]field, error) {
	var all []field
	for _, f := range s.Fields.List {
		if f.Tag == nil {
			continue
		}
		text, err := strconv.Unquote(f.Tag.Value)
		if err != nil {
			return nil, err
		}
		tag, ok := reflect.StructTag(text).Lookup("wire")
		if !ok {
			continue
		}
		if len(f.Names) != 1 {
			return nil, fmt.Errorf("%s: a tag is for one field", tag)
		}
		wire, kind, _ := strings.Cut(tag, ",")
		kind, value, _ := strings.Cut(kind, "=")
		all = append(all, field{f.Names[0].Name, types.ExprString(f.Type), wire, kind, value})
	}
	return all, nil
}

// numbers are the types that need no kind, by the methods that read and append
// them.
var numbers = []string{"uint8", "uint16", "uint32", "uint64", "float32"}

// texts are the kinds of text, by the methods that read and append them, and
// the arguments of those.
var texts = map[string]struct{ method, argument string }{
	"text8": {"Text8", ""},
	"text0": {"Text0", ""},
	"fixed": {"TextFixed", "%s, "},
}

// writeLayout writes decode and append of a message with a layout. A message
// with a decode or append of its own gets decodeHeader or appendHeader instead,
// for its start.
func (p *codec) writeLayout(out *bytes.Buffer, m *message) {
	if !m.hasLayout() {
		return
	}
	decode, appends := "decode(r *wire.Reader, _ Options)", "append(w *wire.Writer)"
	if m.decode != nil {
		decode = "decodeHeader(r *wire.Reader)"
	}
	if m.append != nil {
		appends = "appendHeader(w *wire.Writer)"
	}
	fmt.Fprintf(out, "\nfunc (m *%s) %s {\n", m.name, decode)
	for _, c := range m.consts {
		fmt.Fprintf(out, "\tr.Const8(%q, uint8(%s))\n", c.wire, c.value)
	}
	for _, f := range m.fields {
		fmt.Fprintf(out, "\tm.%s = %s\n", f.name, p.read(f))
	}
	if !m.part && m.decode == nil {
		out.WriteString("\tr.End()\n")
	}
	fmt.Fprintf(out, "}\n\nfunc (m *%s) %s {\n", m.name, appends)
	for _, c := range m.consts {
		fmt.Fprintf(out, "\tw.Uint8(uint8(%s))\n", c.value)
	}
	for _, f := range m.fields {
		fmt.Fprintf(out, "\t%s\n", p.appendTo(f))
	}
	out.WriteString("}\n")
}

// base returns the basic type that typ is made of.
func (p *codec) base(typ string) string {
	for p.types[typ] != "" {
		typ = p.types[typ]
	}
	return typ
}

// number returns the method that reads and appends the numbers of f, "" if f is
// none.
func (p *codec) number(f field) string {
	base := p.base(f.typ)
	if !slices.Contains(numbers, base) || f.kind != "" && f.kind != "le" {
		return ""
	}
	method := strings.ToUpper(base[:1]) + base[1:]
	if f.kind == "le" {
		method += "LE"
	}
	return method
}

// read returns the expression that reads f.
func (p *codec) read(f field) string {
	if method := p.number(f); method != "" {
		return convert(f.typ, p.base(f.typ), fmt.Sprintf("r.%s(%q)", method, f.wire))
	}
	if t, ok := texts[f.kind]; ok {
		argument := strings.ReplaceAll(t.argument, "%s", f.value)
		return convert(f.typ, "string", fmt.Sprintf("r.%s(%s%q)", t.method, argument, f.wire))
	}
	if f.kind == "rest" {
		return fmt.Sprintf("r.Rest(%q)", f.wire)
	}
	return fmt.Sprintf("decode%s(r, %q)", upper(f.kind), f.wire)
}

// appendTo returns the statement that appends f.
func (p *codec) appendTo(f field) string {
	value := "m." + f.name
	if method := p.number(f); method != "" {
		return fmt.Sprintf("w.%s(%s)", method, convert(p.base(f.typ), f.typ, value))
	}
	if t, ok := texts[f.kind]; ok {
		argument := strings.ReplaceAll(t.argument, "%s", f.value)
		return fmt.Sprintf("w.%s(%s%q, %s)", t.method, argument, f.wire, convert("string", f.typ, value))
	}
	if f.kind == "rest" {
		return fmt.Sprintf("w.Bytes(%s)", value)
	}
	return fmt.Sprintf("append%s(w, %q, %s)", upper(f.kind), f.wire, value)
}

// convert returns expression, of type from, as one of type to.
func convert(to, from, expression string) string {
	if to == from {
		return expression
	}
	return to + "(" + expression + ")"
}

// failures says when appending the layout fails.
func (m *message) failures() string {
	for _, f := range m.fields {
		if f.kind != "" && f.kind != "le" && f.kind != "rest" {
			return "It fails if a field does not fit the layout."
		}
	}
	return "It never fails."
}
