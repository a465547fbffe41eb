package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
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

// keyed is the kind of fields in messages that consist of keys and values.
const keyed = "key"

// A taggedField is a field of a struct with a tag.
type taggedField struct {
	at        token.Pos
	name, typ string
	wire      string   // the tag
	sizes     []string // of the layouts of a message that has several
}

// tagText matches the tags of types with a directive.
var tagText = regexp.MustCompile(`^wire:"([^"]*)"(?: +sizes:"([^"]*)")?$`)

// taggedFields returns the fields of the type what that have tags.
func (p *codec) taggedFields(what string, fields *ast.FieldList) (all []taggedField, err error) {
	for _, f := range fields.List {
		if f.Tag == nil {
			continue
		}
		var names []string
		for _, id := range f.Names {
			names = append(names, id.Name)
		}
		name := strings.Join(names, ", ")
		text, err := strconv.Unquote(f.Tag.Value)
		if err != nil {
			return nil, err
		}
		tag := tagText.FindStringSubmatch(text)
		if tag == nil {
			return nil, p.mistake(f.Pos(), what+"."+name,
				"the tag %s is not wire:\"...\", followed by sizes:\"...\" in a type with several layouts", text)
		}
		if len(names) != 1 {
			return nil, p.mistake(f.Pos(), what+"."+name, "a tag is for one field")
		}
		all = append(all, taggedField{f.Pos(), name, types.ExprString(f.Type), tag[1], strings.Fields(tag[2])})
	}
	return all, nil
}

// checkNoTags fails if a field of a type without a directive has a tag.
func (p *codec) checkNoTags(what string, fields *ast.FieldList) error {
	for _, f := range fields.List {
		if f.Tag != nil && strings.Contains(f.Tag.Value, "wire:") {
			return p.mistake(f.Pos(), what, "has a tag with wire and no directive; known are //%s, //%s and //%s",
				directiveMessage, directiveLayout, directiveObject)
		}
	}
	return nil
}

// addFields adds the fields of m that have tags to its layout.
func (p *codec) addFields(m *message) error {
	if m.fieldList == nil {
		return nil
	}
	tagged, err := p.taggedFields(m.name, m.fieldList)
	for _, t := range tagged {
		wire, kind, _ := strings.Cut(t.wire, ",")
		kind, value, hasValue := strings.Cut(kind, "=")
		f := field{t.at, t.name, t.typ, wire, kind, value, t.sizes}
		if err := p.checkField(m, f, hasValue); err != nil {
			return err
		}
		if kind != keyed {
			m.fields = append(m.fields, f)
			continue
		}
		if !hasValue {
			f.value = wire
		}
		m.keyed = append(m.keyed, f)
	}
	return err
}

// checkField fails if f has a tag that names no field, or a kind that is not known for
// its type.
func (p *codec) checkField(m *message, f field, hasValue bool) error {
	what := m.name + "." + f.name
	if f.wire == "" {
		return p.mistake(f.at, what, "the tag names no field of the layout")
	}
	if f.kind == keyed && (!hasValue || f.value != "") {
		return nil
	}
	if hasValue {
		return p.mistake(f.at, what, "unknown word %s=%s in the tag; only %s has a value", f.kind, f.value, keyed)
	}
	kinds, own := p.kindsFor(f), p.ownKinds(f.typ, fieldForm)
	if m.variants != "" {
		element := f.elements()[0]
		kinds, own = nil, p.ownKinds(element.typ, variantForm)
		if p.isNumber(element) {
			kinds = []string{""}
		}
	}
	if slices.Contains(kinds, f.kind) || f.kind != "" && slices.Contains(own, f.kind) {
		return nil
	}
	says := "unknown kind " + f.kind
	if f.kind == "" {
		says = "no kind"
	}
	allowed := append(kinds, own...)
	if i := slices.Index(allowed, ""); i >= 0 {
		allowed[i] = "none"
	}
	return p.mistake(f.at, what, "%s for the type %s; allowed are: %s", says, f.typ,
		cmp.Or(strings.Join(allowed, ", "), "none here"))
}

// kindsFor returns the kinds that every package has for the type of f. "" means that it
// needs none.
func (p *codec) kindsFor(f field) (kinds []string) {
	base := p.base(f.typ)
	number := numbers[base]
	if number != "" || f.typ == "[4]byte" {
		kinds = append(kinds, "")
	}
	if number == "uint16" || number == "uint32" {
		kinds = append(kinds, "le")
	}
	switch base {
	case "int8", "int16", "int32", "int64":
		kinds = append(kinds, "int0")
	case "string":
		kinds = append(kinds, "text8", "text0")
	case "[]byte":
		kinds = append(kinds, "rest")
	}
	return append(kinds, keyed)
}

// A kindForm is what the functions decodeX and appendX of a kind X take.
type kindForm struct {
	decode, appends []string // types; that of the value comes last
}

var (
	fieldForm = kindForm{
		[]string{"*wire.Reader", "string"},
		[]string{"*wire.Writer", "string"},
	}
	variantForm = kindForm{
		[]string{"*wire.Reader", "Options", "int", "string"},
		[]string{"*wire.Writer", "*wire.Block", "int", "string"},
	}
)

// ownKinds returns the kinds of the package for values of a type: those with functions
// decodeX and appendX.
func (p *codec) ownKinds(typ string, form kindForm) (kinds []string) {
	for name, f := range p.functions {
		kind, ok := strings.CutPrefix(name, "decode")
		appends := p.functions["append"+kind]
		if !ok || kind == "" || appends == nil || f.Type.Results == nil {
			continue
		}
		if slices.Equal(typesOf(f.Type.Params), form.decode) && slices.Equal(typesOf(f.Type.Results), []string{typ}) &&
			slices.Equal(typesOf(appends.Type.Params), append(slices.Clip(form.appends), typ)) {
			kinds = append(kinds, lower(kind))
		}
	}
	slices.Sort(kinds)
	return kinds
}

// typesOf returns the types of parameters or results, one for each.
func typesOf(list *ast.FieldList) (all []string) {
	for _, f := range list.List {
		for range max(1, len(f.Names)) {
			all = append(all, types.ExprString(f.Type))
		}
	}
	return all
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

// formOf returns the form of f. A directive of functions such as appendAddr gives the
// reason for the package's own kinds:
//
//	//wire:fails the address is not IPv4
//	//wire:fails never
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
	if m.object {
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
	f := fields{r: r, o: &o, e: o.Encoding}
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

// base returns the underlying type of typ.
func (p *codec) base(typ string) string {
	for p.types[typ] != "" {
		typ = p.types[typ]
	}
	return typ
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

// isLong reports whether f may have many bytes.
func (p *codec) isLong(f field) bool {
	return p.base(f.typ) == "string" || strings.HasPrefix(p.base(f.typ), "[]")
}

// convert returns expression, of type from, as one of type to.
func convert(to, from, expression string) string {
	if to == from {
		return expression
	}
	return to + "(" + expression + ")"
}

// canFail reports whether there are values of m that cannot be appended.
func (p *codec) canFail(m *message) bool {
	if name := m.ownAppend(); name != "" {
		return p.fails[name] != never
	}
	return p.failures(m) != neverFails
}

// ownAppend returns the name of the method that appends m and is not generated, or "".
func (m *message) ownAppend() string {
	switch {
	case m.append != nil:
		return m.name + ".append"
	case m.layout != nil:
		return m.name + ".layout"
	}
	return ""
}

const neverFails = "It never fails."

// failures returns a sentence about when appending the layout of m fails.
func (p *codec) failures(m *message) string {
	switch reason := p.fails[m.ownAppend()]; {
	case reason == never:
		return neverFails
	case reason != "":
		return "It fails if " + reason + "."
	}
	if m.object {
		return "It fails if a field is not valid or the message is too long."
	}
	var reasons []string
	for _, f := range m.fields {
		if reason := p.formOf(f).fails; reason != "" && reason != never && !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
	}
	if m.frame != "" && slices.ContainsFunc(m.fields, p.isLong) {
		reasons = append(reasons, "the message is too long")
	}
	if len(reasons) == 0 {
		return neverFails
	}
	return "It fails if " + strings.Join(reasons, ", or if ") + "."
}
