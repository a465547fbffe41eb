package main

import (
	"bytes"
	"fmt"
	"strings"
)

// A textWriter writes statements that append texts. Texts in a row become one statement.
type textWriter struct {
	*bytes.Buffer
	text string // not yet written
}

// flush writes a statement that appends the texts.
func (t *textWriter) flush() {
	if t.text != "" {
		fmt.Fprintf(t, "w.Text(`%s`)\n", t.text)
		t.text = ""
	}
}

// statement writes a statement after that for the texts before it.
func (t *textWriter) statement(format string, args ...any) {
	t.flush()
	fmt.Fprintf(t, format+"\n", args...)
}

// writeAppendObject writes append, or a method with another name. It checks all rules, even without Strict.
func (p *codec) writeAppendObject(out *bytes.Buffer, m *message, name string) {
	fmt.Fprintf(out, "\nfunc (m *%s) %s(w *wire.Writer) {\n", m.name, name)
	defer out.WriteString("}\n")
	t := &textWriter{Buffer: out}
	switch {
	case m.inEnvelope && len(m.json) == 0:
		t.statement("appendBare(w, %s, m.%s, &m.%s)", m.key, m.extraField, p.envelope.name)
		return
	case m.inEnvelope && p.envelope.key == "":
		t.statement("appendStart(w, %s)\nw.In(%q, -1)", m.key, p.envelope.in)
	case m.inEnvelope:
		t.statement("appendStart(w)\nw.In(%q, -1)", p.envelope.in)
	default:
		t.text = "{"
	}
	comma := "" // before the next member; "?" if an earlier member may be missing
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
	t.text += "}"
	if !m.part {
		t.statement("closeObject(w)")
	}
	t.flush()
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
	if x.max != "" {
		fmt.Fprintf(t, "if len(%[1]s) > %[2]s {\n\tw.Exceed(%[3]q, len(%[1]s), %[2]s)\n}\n", v, x.max, x.name)
	}
	switch {
	case p.isRuleOf(m, x):
		fmt.Fprintf(t, "if !m.%s() {\n\tw.Fail(%s, %q)\n}\n", x.rule, p.fault(x), x.name)
	case x.rule != "":
		fmt.Fprintf(t, "if !%s {\n\tw.Fail(%s, %q)\n}\n", p.call(x, v, "Options{}"), p.fault(x), x.name)
	}
	if comma == "?" {
		t.statement("w.JSONName(%q)", x.name)
	} else {
		t.text += comma + `"` + x.name + `":`
	}
	switch {
	case x.constant != "":
		t.text += "\"` + " + x.constant + " + `\""
	case x.isArray():
		path, outer := x.name, ""
		if m.inEnvelope {
			path, outer = p.envelope.in+"."+x.name, p.envelope.in
		}
		t.text += "["
		t.statement("for i := range %s {\nif i > 0 {\nw.Text(`,`)\n}\nw.In(%q, i)\n%[1]s[i].append(w)\n}", v, path)
		t.statement("w.In(%q, -1)", outer)
		t.text += "]"
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
	case base == "netip.Addr":
		return fmt.Sprintf("w.JSONAddr(%q, %s)", x.name, v)
	}
	return fmt.Sprintf("w.Int(%s)", convert("int64", x.typ, v))
}

// isNotZero returns the condition under which x, the value of which is v, is
// appended.
func (p *codec) isNotZero(x member, v string) string {
	base := p.base(x.typ)
	switch {
	case x.pointer || strings.HasPrefix(x.typ, "[]") || x.typ == "json.RawMessage":
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
