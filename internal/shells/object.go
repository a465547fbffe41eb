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

// directiveObject marks a JSON object that is a part of messages,
// directiveEnvelope the type that messages in JSON embed.
//
// Tags name the members of an object in the order in which they are appended.
// The kind follows from the type, or stands after the name:
//
//	Name    string      `wire:"name"`                    // a text
//	IsOpen  bool        `wire:"isOpen"`                  // true or false
//	Score   int64       `wire:"score"`                   // a number, read by decodeInt64
//	Mode    Mode        `wire:"mode,must=valid"`         // an int, read by decodeInt
//	Host    netip.Addr  `wire:"host,address"`            // by decodeAddress and appendAddress
//	Minutes int         `wire:"minutes,range=2..10"`     // a number, read by decodeRange
//	Players PlayerCount `wire:"players"`                 // another object
//	Servers []Server    `wire:"servers,max=MaxServers"`  // an array of objects; more are too large
//	Fields  Fields      `wire:",inline"`                 // the members of another object
//	Extra   map[string]json.RawMessage                   // members that no tag names
//
// The package has the functions of these kinds:
//
//	func decodeAddress(j *wire.JSON, o Options) netip.Addr
//	func appendAddress(w *wire.Writer, field string, v netip.Addr)
//	func decodeInt(j *wire.JSON, o Options) int
//	func decodeRange(j *wire.JSON, o Options, low, high int) int
//
// A kind without the second is appended as its type says. An int needs a range or
// a rule, so that nothing is appended that decodeInt refuses.
//
// Rules follow, in any order:
//
//	must=F    the value is valid if F reports so: a function of the value, or of
//	          the value and Options, or a method of the value or of the message
//	should=F  the same, but an invalid value is refused only by Strict when read
//	must      the rules of the other object hold even if not Strict
//	omitzero  the member may be missing, and is left out if zero
//	lenient   the member may be missing unless Strict
//
// A message embeds the type with the directive of envelopes, which says where in
// the envelope the object stands:
//
//	//wire:envelope in=content
//
// The package reads and appends what is around the object:
//
//	func openEnvelope(r *wire.Reader, j *wire.JSON, o Options, key string, bare bool, e *Envelope) envelopeReader
//	func (e *envelopeReader) next() bool // goes to the object
//	func appendStart(w *wire.Writer, key string)
//	func appendEnd(w *wire.Writer, e *Envelope)
//
// A message is bare if it has no members. All of it is appended by
//
//	func appendBare(w *wire.Writer, key string, extra map[string]json.RawMessage, e *Envelope)
//
// If the key is a member of the object, as with
//
//	//wire:envelope in=lobbyquery.query key=command
//
// there are no bare messages, and openEnvelope and appendStart get no key.
const (
	directiveObject   = "//wire:object"
	directiveEnvelope = "//wire:envelope"
)

// A member is a member of a JSON object.
type member struct {
	name     string // in JSON
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
		m.object = m.object || m.inEnvelope
	}
	for _, m := range p.messages {
		if !m.object {
			continue
		}
		if err := p.addMembers(m, m.fieldList, ""); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		key := p.envelope.key
		hasKey := slices.ContainsFunc(m.json, func(x member) bool { return x.name == key })
		if m.inEnvelope && key != "" && !hasKey {
			m.json = slices.Insert(m.json, 0, member{name: key, constant: m.key})
		}
	}
	return nil
}

// addMembers adds the members that the tags of fields name. prefix leads to the
// fields from m.
func (p *codec) addMembers(m *message, fields *ast.FieldList, prefix string) error {
	for _, f := range fields.List {
		if len(f.Names) == 1 && f.Names[0].Name == "Extra" {
			m.extraField = prefix + "Extra"
		}
		if f.Tag == nil {
			continue
		}
		text, err := strconv.Unquote(f.Tag.Value)
		if err != nil {
			return err
		}
		tag, ok := reflect.StructTag(text).Lookup("wire")
		if !ok {
			continue
		}
		for _, id := range f.Names {
			typ := types.ExprString(f.Type)
			if tag == ",inline" {
				inner := p.objectNamed(typ)
				if inner == nil {
					return fmt.Errorf("%s is no object", typ)
				}
				if err := p.addMembers(m, inner.fieldList, prefix+id.Name+"."); err != nil {
					return err
				}
				continue
			}
			x, err := newMember(tag)
			if err != nil {
				return err
			}
			x.field = prefix + id.Name
			x.typ, x.pointer = strings.CutPrefix(typ, "*")
			if p.base(x.typ) == "int" && x.kind == "" && x.rule == "" {
				return fmt.Errorf("%s: an int needs a range or a rule", x.name)
			}
			m.json = append(m.json, x)
		}
	}
	return nil
}

// newMember returns the member that a tag declares.
func newMember(tag string) (x member, err error) {
	words := strings.Split(tag, ",")
	x.name = words[0]
	for _, word := range words[1:] {
		name, value, _ := strings.Cut(word, "=")
		switch name {
		case "must":
			x.rule, x.always = value, true
		case "should":
			x.rule = value
		case "omitzero":
			x.omitZero = true
		case "lenient":
			x.lenient = true
		case "max":
			x.max = value
		case "range":
			x.kind = "range"
			x.low, x.high, _ = strings.Cut(value, "..")
		default:
			if x.kind != "" || value != "" {
				return x, fmt.Errorf("tag %q: what is %q?", tag, word)
			}
			x.kind = name
		}
	}
	return x, nil
}

// objectNamed returns the object of a Go type, nil if it is none.
func (p *codec) objectNamed(typ string) *message {
	for _, m := range p.messages {
		if m.object && m.name == typ {
			return m
		}
	}
	return nil
}

// writeObject writes the list of members, the smallest size and the codec of an
// object, except what the package has by hand.
func (p *codec) writeObject(out *bytes.Buffer, m *message) {
	if m.decode != nil && m.append != nil {
		return
	}
	var names []string
	for _, x := range m.json {
		names = append(names, strconv.Quote(x.name))
	}
	fmt.Fprintf(out, "\n// %[1]s are the members of %[2]s.\nvar %[1]s = [...]string{%[3]s}\n",
		m.memberList(), m.name, strings.Join(names, ", "))
	if m.part {
		fmt.Fprintf(out, "\n// min%[1]s is the size of the smallest %[1]s.\nconst min%[1]s = len(`%[2]s`)\n", m.name, p.smallest(m))
	}
	if m.decode == nil {
		p.writeDecodeObject(out, m)
	}
	if m.append == nil {
		p.writeAppendObject(out, m)
	}
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
		case strings.HasPrefix(x.typ, "[]"):
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

// writeDecodeObject writes decode. That of a part gets the JSON, and strict if
// rules hold; that of a message gets the Reader.
func (p *codec) writeDecodeObject(out *bytes.Buffer, m *message) {
	j, strict := "j", "strict"
	if m.inEnvelope {
		j, strict = "&j", "o.Strict"
		arguments := ""
		if p.envelope.key == "" {
			arguments = fmt.Sprintf(", %s, %v", m.key, len(m.json) == 0)
		}
		fmt.Fprintf(out, "\nfunc (m *%s) decode(r *wire.Reader, o Options) {\n\tj := wire.NewJSON(r)\n", m.name)
		for _, x := range m.json {
			if p.isRuleOf(m, x) {
				fmt.Fprintf(out, "\t%sAt := 0\n", lower(x.field))
			}
		}
		fmt.Fprintf(out, "\tfor e := openEnvelope(r, &j, o%s, &m.%s); e.next(); {\n", arguments, p.envelope.name)
	} else {
		if !p.usesStrict(m) {
			strict = "_"
		}
		fmt.Fprintf(out, "\nfunc (m *%s) decode(j *wire.JSON, o Options, %s bool) {\n", m.name, strict)
	}
	required, strictly := m.required()
	needs := fmt.Sprintf("%#b", required)
	if strictly != required {
		fmt.Fprintf(out, "required := uint32(%#b)\nif o.Strict {\n\trequired = %#b\n}\n", required, strictly)
		needs = "required"
	}
	extra := "nil"
	if m.extraField != "" {
		extra = "&m." + m.extraField
	}
	fmt.Fprintf(out, "members := j.Object(%s[:], %s, %s)\n", m.memberList(), needs, extra)
	if len(m.json) == 0 {
		out.WriteString("members.Next()\n}\n}\n")
		return
	}
	out.WriteString("for members.Next() {\nswitch members.Index() {\n")
	for i, x := range m.json {
		fmt.Fprintf(out, "case %d: // %s\n", i, x.name)
		p.writeDecodeMember(out, m, x, j, strict)
	}
	out.WriteString("}\n}\n")
	for _, x := range m.json {
		if p.isRuleOf(m, x) {
			fmt.Fprintf(out, "if %s!m.%s() {\n\tj.FailMember(lobbywire.ErrInvalid, %q, %sAt)\n}\n", x.when(strict), x.rule, x.name, lower(x.field))
		}
	}
	if m.inEnvelope {
		out.WriteString("}\n")
	}
	out.WriteString("}\n")
}

// usesStrict reports whether decode of an object needs to know whether rules
// hold.
func (p *codec) usesStrict(m *message) bool {
	return slices.ContainsFunc(m.json, func(x member) bool {
		inner := p.objectNamed(strings.TrimPrefix(x.typ, "[]"))
		return !x.always && (x.rule != "" || x.max != "" || inner != nil)
	})
}

// required returns the set of members that have to be there, and that of those
// that Strict wants.
func (m *message) required() (always, strictly uint32) {
	for i, x := range m.json {
		if !x.omitZero && !x.lenient {
			always |= 1 << i
		}
		if !x.omitZero || x.lenient {
			strictly |= 1 << i
		}
	}
	return always, strictly
}

// when returns the condition under which the rule of x holds, with && behind it.
func (x member) when(strict string) string {
	if x.always {
		return ""
	}
	return strict + " && "
}

// writeDecodeMember writes the statements that read x, a member of m.
func (p *codec) writeDecodeMember(out *bytes.Buffer, m *message, x member, j, strict string) {
	v := "m." + x.field
	elem, isList := strings.CutPrefix(x.typ, "[]")
	switch {
	case x.constant != "":
		fmt.Fprintf(out, "if string(j.View()) != %s {\n\tj.Invalid()\n}\n", x.constant)
		return
	case isList:
		fmt.Fprintf(out, `a := j.Array()
			%[1]s = make(%[2]s, 0, a.Room(min%[3]s))
			for a.Next() {
				%[1]s = append(%[1]s, %[3]s{})
				%[1]s[len(%[1]s)-1].decode(%[4]s, o, %[5]s)
			}
		`, v, x.typ, elem, j, strict)
		if x.max != "" {
			fmt.Fprintf(out, "if %slen(%s) > %s {\n\ta.Fail(lobbywire.ErrTooLarge)\n}\n", x.when(strict), v, x.max)
		}
		return
	case p.objectNamed(x.typ) != nil:
		if x.always {
			strict = "true"
		}
		fmt.Fprintf(out, "%s.decode(%s, o, %s)\n", v, j, strict)
		return
	case x.pointer:
		fmt.Fprintf(out, "v := %s\n%s = &v\n", p.readMember(x, j), v)
		return
	}
	fmt.Fprintf(out, "%s = %s\n", v, p.readMember(x, j))
	switch {
	case p.isRuleOf(m, x):
		fmt.Fprintf(out, "%sAt = j.At()\n", lower(x.field))
	case x.rule != "":
		fmt.Fprintf(out, "if %s!%s {\n\tj.Invalid()\n}\n", x.when(strict), p.call(x, v, "o"))
	}
}

// readMember returns the expression that reads the value of x.
func (p *codec) readMember(x member, j string) string {
	base := p.base(x.typ)
	switch {
	case x.kind == "range":
		return convert(x.typ, "int", fmt.Sprintf("decodeRange(%s, o, %s, %s)", j, bound(x.low), bound(x.high)))
	case x.kind != "":
		return fmt.Sprintf("decode%s(%s, o)", upper(x.kind), j)
	case base == "string":
		return convert(x.typ, base, "j.Text()")
	case base == "bool":
		return convert(x.typ, base, "j.Bool()")
	}
	return convert(x.typ, base, fmt.Sprintf("decode%s(%s, o)", upper(base), j))
}

// bound returns an end of a range as an int. It may be a constant of a named type.
func bound(s string) string {
	if _, err := strconv.Atoi(s); err == nil {
		return s
	}
	return "int(" + s + ")"
}

// isRuleOf reports whether the rule of x is one of several members of m.
func (p *codec) isRuleOf(m *message, x member) bool {
	return x.rule != "" && p.functions[m.name+"."+x.rule] != nil
}

// call returns the expression that applies the rule of x to a value.
func (p *codec) call(x member, value, options string) string {
	f := p.functions[x.rule]
	switch {
	case f == nil:
		return value + "." + x.rule + "()"
	case f.Type.Params.NumFields() > 1:
		return fmt.Sprintf("%s(%s, %s)", x.rule, value, options)
	}
	return fmt.Sprintf("%s(%s)", x.rule, value)
}

// A textWriter writes statements that append texts, those in a row as one.
type textWriter struct {
	*bytes.Buffer
	text string // not yet written
}

// add adds a text.
func (t *textWriter) add(text string) { t.text += text }

// flush writes a statement that appends the texts.
func (t *textWriter) flush() {
	if t.text != "" {
		fmt.Fprintf(t, "w.Text(`%s`)\n", t.text)
		t.text = ""
	}
}

// statement writes a statement, after one that appends the texts.
func (t *textWriter) statement(format string, args ...any) {
	t.flush()
	fmt.Fprintf(t, format+"\n", args...)
}

// writeAppendObject writes append, which checks the rules in any case.
func (p *codec) writeAppendObject(out *bytes.Buffer, m *message) {
	fmt.Fprintf(out, "\nfunc (m *%s) append(w *wire.Writer) {\n", m.name)
	defer out.WriteString("}\n")
	key := m.key
	if p.envelope.key != "" {
		key = ""
	}
	t := &textWriter{Buffer: out}
	switch {
	case m.inEnvelope && len(m.json) == 0:
		t.statement("appendBare(w, %s, m.%s, &m.%s)", key, m.extraField, p.envelope.name)
		return
	case m.inEnvelope:
		t.statement("appendStart(w%s)\nw.In(%q, -1)", prefixed(", ", key), p.envelope.in)
	default:
		t.add("{")
	}
	comma := "" // in front of the next member; "?" if that is not known
	for _, x := range m.json {
		p.writeAppendMember(t, m, x, comma)
		switch {
		case x.omitZero && comma == "":
			comma = "?"
		case !x.omitZero:
			comma = ","
		}
	}
	if m.extraField != "" {
		t.statement("w.JSONExtra(m.%s, %s[:])", m.extraField, m.memberList())
	}
	if m.inEnvelope {
		t.statement("appendEnd(w, &m.%s)", p.envelope.name)
	} else {
		t.add("}")
		t.flush()
	}
}

// prefixed returns s after prefix, "" if s is empty.
func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

// writeAppendMember writes the statements that append x, a member of m.
func (p *codec) writeAppendMember(t *textWriter, m *message, x member, comma string) {
	v := "m." + x.field
	if x.omitZero {
		t.statement("if %s {", p.isNotZero(x, v))
		defer t.statement("}")
	}
	if x.pointer {
		v = "*" + v
	}
	isList := strings.HasPrefix(x.typ, "[]")
	if x.kind == "range" {
		fmt.Fprintf(t, "if %[1]s < %[2]s || %[1]s > %[3]s {\n\tw.Fail(lobbywire.ErrInvalid, %[4]q)\n}\n", v, x.low, x.high, x.name)
	}
	switch {
	case p.isRuleOf(m, x):
		fmt.Fprintf(t, "if !m.%s() {\n\tw.Fail(lobbywire.ErrInvalid, %q)\n}\n", x.rule, x.name)
	case x.rule != "":
		fmt.Fprintf(t, "if !%s {\n\tw.Fail(lobbywire.ErrInvalid, %q)\n}\n", p.call(x, v, "Options{}"), x.name)
	case x.max != "":
		fmt.Fprintf(t, "if len(%s) > %s {\n\tw.Fail(lobbywire.ErrTooLarge, %q)\n}\n", v, x.max, x.name)
	}
	if comma == "?" {
		t.statement("w.JSONName(%q)", x.name)
	} else {
		t.add(comma + `"` + x.name + `":`)
	}
	switch {
	case x.constant != "":
		t.add("\"` + " + x.constant + " + `\"")
	case isList:
		t.add("[")
		t.statement("for i := range %s {\nif i > 0 {\nw.Text(`,`)\n}\nw.In(%q, i)\n%[1]s[i].append(w)\n}", v, p.envelope.in+"."+x.name)
		t.statement("w.In(%q, -1)", p.envelope.in)
		t.add("]")
	case p.objectNamed(x.typ) != nil:
		t.statement("w.InMember(%q)\n%s.append(w)\nw.InMember(\"\")", x.name, v)
	default:
		t.statement("%s", p.appendValue(x, v))
	}
}

// appendValue returns the statement that appends v, the value of x.
func (p *codec) appendValue(x member, v string) string {
	base := p.base(x.typ)
	switch {
	case x.kind != "" && p.functions["append"+upper(x.kind)] != nil:
		return fmt.Sprintf("append%s(w, %q, %s)", upper(x.kind), x.name, v)
	case base == "string":
		return fmt.Sprintf("w.JSONText(%q, %s)", x.name, convert(base, x.typ, v))
	case base == "bool":
		return fmt.Sprintf("w.JSONBool(%s)", convert(base, x.typ, v))
	}
	return fmt.Sprintf("w.Int(%s)", convert("int64", x.typ, v))
}

// isNotZero returns the condition under which x, the value of which is v, is
// appended.
func (p *codec) isNotZero(x member, v string) string {
	base := p.base(x.typ)
	switch {
	case x.pointer || strings.HasPrefix(x.typ, "[]"):
		return v + " != nil"
	case base == "string":
		return v + ` != ""`
	case base == "bool":
		return v
	case strings.Contains(base, "."):
		return "!wire.IsZero(" + v + ")"
	}
	return v + " != 0"
}
