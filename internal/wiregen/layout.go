package main

import (
	"bytes"
	"fmt"
	"go/token"
	"strings"
)

// A field is a field of a layout. Its tag gives the name that it has in the
// specification and, unless the Go type is enough, the kind of its wire form:
//
//	Players uint16  `wire:"currentPlayers"`     // big-endian; also int32
//	Flags   Flags   `wire:"flags,le"`           // little-endian
//	Score   int32   `wire:"score,int0"`         // decimal digits and a zero byte
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

// numbers maps the types of numbers to those of the methods of Reader and Writer.
var numbers = map[string]string{
	"uint8": "uint8", "uint16": "uint16", "uint32": "uint32", "uint64": "uint64",
	"int32": "uint32",
}

// A form is how a field stands on the wire.
type form struct {
	typ     string // Go type of the value that is read and appended
	read    string // expression that reads the value; %q is the name of the field
	appends string // statement that appends it; %[1]q is the name, %[2]s the value
	fails   string // reason for which appending fails, or ""
}

// formOf returns the form of f.
func (p *codec) formOf(f field) form {
	base := p.base(f.typ)
	number, isNumber := numbers[base]
	switch {
	case f.kind == "text8":
		return form{"string", "r.Text8(%q)", "w.Text8(%[1]q, %[2]s)", "a text is longer than 255 bytes"}
	case f.kind == "text0":
		return form{"string", "r.Text0(%q)", "w.Text0(%[1]q, %[2]s)", "a text has a zero byte"}
	case f.kind == "int0":
		return form{"int64", "r.Int0(" + strings.TrimPrefix(base, "int") + ", %q)", "w.Int0(%[2]s)", ""}
	case f.kind == "rest":
		return form{f.typ, "r.Rest(%q)", "w.Bytes(%[2]s)", ""}
	case f.kind == "" && f.typ == "[4]byte":
		return form{f.typ, "r.Array4(%q)", "w.Bytes(%[2]s[:])", ""}
	case isNumber && (f.kind == "" || f.kind == "le"):
		method := upper(number) + strings.ToUpper(f.kind)
		return form{number, "r." + method + "(%q)", "w." + method + "(%[2]s)", ""}
	case f.kind == "":
		return form{} // such as an array in a message with several layouts
	}
	appends := "append" + upper(f.kind)
	return form{f.typ, "decode" + upper(f.kind) + "(r, %q)", appends + "(w, %[1]q, %[2]s)", p.fails[appends]}
}

// writeLayout writes decode and append of a message with a layout. If the package
// has decode or append of a message, its tags declare only the start of it, and
// writeLayout writes decodeHeader or appendHeader.
func (p *codec) writeLayout(out *bytes.Buffer, m *message) {
	if m.variants != "" {
		p.writeVariants(out, m)
		return
	}
	if m.isObject {
		p.writeObject(out, m)
		return
	}
	if m.layout != nil {
		m.writeOwnLayout(out)
		return
	}
	if !m.hasLayout() {
		return
	}
	decode, appends := "decode(r *wire.Reader, _ Options)", "append(w *wire.Writer)"
	if m.end != "" {
		decode = "decode(r *wire.Reader, o Options)"
	}
	if m.decode != nil {
		decode = "decodeHeader(r *wire.Reader)"
	}
	if m.append != nil {
		appends = "appendHeader(w *wire.Writer)"
	}
	fmt.Fprintf(out, "\nfunc (m *%s) %s {\n", m.name, decode)
	if m.frame != "" {
		fmt.Fprintf(out, "\touter := enter(r, %s)\n", m.frame)
	}
	for _, c := range m.consts {
		fmt.Fprintf(out, "\tr.Const%d(%q, %s)\n", c.bits(), c.wire, c.constant())
	}
	for _, f := range m.fields {
		fmt.Fprintf(out, "\t%s\n", p.read(f))
	}
	switch {
	case m.frame != "":
		out.WriteString("\tleave(r, outer)\n")
	case m.part || m.decode != nil:
	case m.end != "":
		fmt.Fprintf(out, "\t%s(r, o)\n", m.end)
	default:
		out.WriteString("\tr.End()\n")
	}
	fmt.Fprintf(out, "}\n\nfunc (m *%s) %s {\n", m.name, appends)
	if m.frame != "" {
		fmt.Fprintf(out, "\tat := open(w, %s)\n", m.frame)
	}
	for _, c := range m.consts {
		fmt.Fprintf(out, "\tw.Uint%d(%s)\n", c.bits(), c.constant())
	}
	for _, f := range m.fields {
		fmt.Fprintf(out, "\t%s\n", p.appendTo(f))
	}
	if m.frame != "" {
		out.WriteString("\tseal(w, at)\n")
	}
	out.WriteString("}\n")
}

// writeOwnLayout writes a decode and an append that call the layout of m.
func (m *message) writeOwnLayout(out *bytes.Buffer) {
	fmt.Fprintf(out, `
func (m *%[1]s) decode(r *wire.Reader, o Options) {
	f := reading(r, &o)
	m.layout(&f)
	r.End()
}

func (m *%[1]s) append(w *wire.Writer) {
	f := fields{w: w}
	m.layout(&f)
}
`, m.name)
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

// read returns the statement that reads f.
func (p *codec) read(f field) string {
	form := p.formOf(f)
	return fmt.Sprintf("m.%s = %s", f.name, convert(f.typ, form.typ, fmt.Sprintf(form.read, f.wire)))
}

// appendTo returns the statement that appends f.
func (p *codec) appendTo(f field) string {
	form := p.formOf(f)
	return fmt.Sprintf(form.appends, f.wire, convert(form.typ, f.typ, "m."+f.name))
}

// convert returns expression, of type from, as one of type to.
func convert(to, from, expression string) string {
	if to == from {
		return expression
	}
	return to + "(" + expression + ")"
}
