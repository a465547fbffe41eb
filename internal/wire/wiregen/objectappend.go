package main

import (
	"bytes"
	"fmt"
	"strings"
)

// writeText writes a statement that appends a text.
func writeText(out *bytes.Buffer, text string) { fmt.Fprintf(out, "w.Text(`%s`)\n", text) }

// writeAppendObject writes append, or a method with another name. It checks all rules,
// even without Strict.
func (p *codec) writeAppendObject(out *bytes.Buffer, m *message, name string) {
	fmt.Fprintf(out, "\nfunc (m *%s) %s(w *wire.Writer) {\n", m.name, name)
	defer out.WriteString("}\n")
	var body bytes.Buffer
	comma := "" // before the next member; "?" if an earlier member may be missing
	switch {
	case m.inEnvelope && len(m.json) == 0:
		fmt.Fprintf(out, "appendBare(w, %s, m.%s, &m.%s)\n", m.key, m.extraField, p.envelope.name)
		return
	case m.inEnvelope && p.envelope.key == "":
		fmt.Fprintf(&body, "appendStart(w, %s)\nw.In(%q, -1)\n", m.key, p.envelope.in)
	case m.inEnvelope:
		fmt.Fprintf(&body, "appendStart(w)\nw.In(%q, -1)\n", p.envelope.in)
	case len(m.json) == 0 || m.json[0].omitZero:
		writeText(&body, "{")
	default:
		comma = "{"
	}
	for _, x := range m.json {
		p.writeAppendMember(&body, m, x, comma)
		switch {
		case x.omitZero && comma == "":
			comma = "?"
		case !x.omitZero:
			comma = ","
		}
	}
	if m.extraField != "" {
		fmt.Fprintf(&body, "wirejson.AppendExtra(w, m.%s, %s[:])\n", m.extraField, m.memberList())
	}
	if m.inEnvelope {
		fmt.Fprintf(&body, "appendEnd(w, &m.%s)\n", p.envelope.name)
	} else {
		writeText(&body, "}")
	}
	if !m.inEnvelope && !m.part {
		body.WriteString("closeObject(w)\n")
	}
	// Texts in a row become one statement.
	out.WriteString(strings.ReplaceAll(body.String(), "`)\nw.Text(`", ""))
}

// writeAppendMember writes the statements that append x, a member of m.
func (p *codec) writeAppendMember(out *bytes.Buffer, m *message, x member, comma string) {
	v := "m." + x.field
	if x.omitZero {
		fmt.Fprintf(out, "if %s {\n", p.isNotZero(x, v))
		defer out.WriteString("}\n")
	}
	isObject := p.objectNamed(x.typ) != nil
	if x.pointer && !isObject {
		v = "*" + v
	}
	if x.kind == "range" {
		fmt.Fprintf(out, "if %[1]s < %[2]s || %[1]s > %[3]s {\n\tw.Fail(wire.Outside(%[2]s, %[3]s), %[4]q)\n}\n", v,
			x.low, x.high, x.name)
	}
	if x.max != "" {
		fmt.Fprintf(out, "if len(%[1]s) > %[2]s {\n\tw.Exceed(%[3]q, len(%[1]s), %[2]s)\n}\n", v, x.max, x.name)
	}
	switch {
	case p.isRuleOf(m, x):
		fmt.Fprintf(out, "w.Check(m.%s(), %s, %q)\n", x.rule, p.fault(x), x.name)
	case x.rule != "":
		fmt.Fprintf(out, "w.Check(%s, %s, %q)\n", p.call(x, v, "Options{}"), p.fault(x), x.name)
	}
	if comma == "?" {
		fmt.Fprintf(out, "wirejson.AppendName(w, %q)\n", x.name)
	} else {
		writeText(out, comma+`"`+x.name+`":`)
	}
	switch {
	case x.constant != "":
		writeText(out, "\"` + "+x.constant+" + `\"")
	case x.isArray():
		path, outer := x.name, ""
		if m.inEnvelope {
			path, outer = p.envelope.in+"."+x.name, p.envelope.in
		}
		writeText(out, "[")
		fmt.Fprintf(out, "for i := range %s {\nif i > 0 {\nw.Text(`,`)\n}\nw.In(%q, i)\n%[1]s[i].append(w)\n}\n", v,
			path)
		fmt.Fprintf(out, "w.In(%q, -1)\n", outer)
		writeText(out, "]")
	case isObject:
		fmt.Fprintf(out, "w.InMember(%q)\n%s.append(w)\nw.InMember(\"\")\n", x.name, v)
	default:
		out.WriteString(p.appendValue(x, v) + "\n")
	}
}

// appendValue returns the statement that appends v, the value of x.
func (p *codec) appendValue(x member, v string) string {
	base := p.base(x.typ)
	switch {
	case x.kind != "" && p.functions["append"+upper(x.kind)] != nil:
		return fmt.Sprintf("append%s(w, %q, %s)", upper(x.kind), x.name, v)
	case x.plain:
		return fmt.Sprintf("wirejson.AppendPlain(w, %s)", convert(base, x.typ, v))
	case base == "string":
		return fmt.Sprintf("wirejson.AppendText(w, %q, %s)", x.name, convert(base, x.typ, v))
	case base == "bool":
		return fmt.Sprintf("wirejson.AppendBool(w, %s)", convert(base, x.typ, v))
	case base == "netip.Addr":
		return fmt.Sprintf("wirejson.AppendAddr(w, %q, %s)", x.name, v)
	}
	return fmt.Sprintf("w.Int(%s)", convert("int64", x.typ, v))
}

// isNotZero returns the condition for appending x, whose value is v.
func (p *codec) isNotZero(x member, v string) string {
	base := p.base(x.typ)
	switch {
	case x.pointer || strings.HasPrefix(x.typ, "[]") || x.typ == "json.RawMessage":
		return v + " != nil"
	case base == "string":
		return v + ` != ""`
	case base == "bool":
		return v
	case base == "netip.Addr":
		return v + ".IsValid()"
	}
	return v + " != 0"
}
