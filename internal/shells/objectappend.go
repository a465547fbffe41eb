package main

import (
	"bytes"
	"fmt"
	"strings"
)

// rawMessage is the type of a value of JSON that is kept undecoded.
const rawMessage = "json.RawMessage"

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
		return
	}
	t.add("}")
	if !m.part {
		t.statement("closeObject(w)")
	}
	t.flush()
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
	isObject := p.objectNamed(x.typ) != nil
	if x.pointer && !isObject {
		v = "*" + v
	}
	if x.kind == "range" {
		fmt.Fprintf(t, "if %[1]s < %[2]s || %[1]s > %[3]s {\n\tw.Fail(wire.Outside(%[2]s, %[3]s), %[4]q)\n}\n", v, x.low, x.high, x.name)
	}
	switch {
	case p.isRuleOf(m, x):
		fmt.Fprintf(t, "if !m.%s() {\n\tw.Fail(%s, %q)\n}\n", x.rule, p.fault(x), x.name)
	case x.rule != "":
		fmt.Fprintf(t, "if !%s {\n\tw.Fail(%s, %q)\n}\n", p.call(x, v, "Options{}"), p.fault(x), x.name)
	case x.max != "":
		fmt.Fprintf(t, "if len(%[1]s) > %[2]s {\n\tw.Exceed(%[3]q, len(%[1]s), %[2]s)\n}\n", v, x.max, x.name)
	}
	if comma == "?" {
		t.statement("w.JSONName(%q)", x.name)
	} else {
		t.add(comma + `"` + x.name + `":`)
	}
	switch {
	case x.constant != "":
		t.add("\"` + " + x.constant + " + `\"")
	case x.isArray():
		path, outer := x.name, ""
		if m.inEnvelope {
			path, outer = p.envelope.in+"."+x.name, p.envelope.in
		}
		t.add("[")
		t.statement("for i := range %s {\nif i > 0 {\nw.Text(`,`)\n}\nw.In(%q, i)\n%[1]s[i].append(w)\n}", v, path)
		t.statement("w.In(%q, -1)", outer)
		t.add("]")
	case isObject:
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
	case x.pointer || strings.HasPrefix(x.typ, "[]") || x.typ == rawMessage:
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
