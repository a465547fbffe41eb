package main

import (
	"bytes"
	"fmt"
	"strings"
)

// writeDecodeObject writes decode, or a method with another name. A message has
// the parameters of all messages; a part has the Reader of JSON and whether its rules hold.
func (p *codec) writeDecodeObject(out *bytes.Buffer, m *message, name string) {
	j, strict := "j", "strict"
	if m.part {
		fmt.Fprintf(out, "\nfunc (m *%s) %s(j *wirejson.Reader, o Options, strict bool) {\n", m.name, name)
	} else {
		j, strict = "&j", "o.Strict"
		open := "openObject(r, o)"
		if m.inEnvelope {
			open = "wirejson.NewReader(r)"
		}
		fmt.Fprintf(out, "\nfunc (m *%s) %s(r *wire.Reader, o Options) {\n\tj := %s\n", m.name, name, open)
		for _, x := range m.json {
			if p.isRuleOf(m, x) {
				fmt.Fprintf(out, "\t%sAt := 0\n", lower(x.field))
			}
		}
	}
	if m.inEnvelope {
		arguments := ""
		if p.envelope.key == "" {
			arguments = fmt.Sprintf(", %s, %v", m.key, len(m.json) == 0)
		}
		fmt.Fprintf(out, "\tfor e := openEnvelope(r, &j, o%s, &m.%s); e.next(); {\n", arguments, p.envelope.name)
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
		out.WriteString("members.Next()\n")
	} else {
		out.WriteString("for members.Next() {\nswitch members.Index() {\n")
		for i, x := range m.json {
			fmt.Fprintf(out, "case %d: // %s\n", i, x.name)
			p.writeDecodeMember(out, m, x, j, strict)
		}
		out.WriteString("}\n}\n")
	}
	for _, x := range m.json {
		if p.isRuleOf(m, x) {
			fmt.Fprintf(out, "if %s!m.%s() {\n\tj.FailMember(%s, %q, %sAt)\n}\n", x.when(strict), x.rule, p.fault(x),
				x.name, lower(x.field))
		}
	}
	switch {
	case m.inEnvelope:
		out.WriteString("}\n")
	case !m.part:
		out.WriteString("\tj.End()\n")
	}
	out.WriteString("}\n")
}

// required returns the set of members that are always required, and the set that is
// required if Options.Strict is set.
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

// when returns the condition under which the rule of x holds, followed by &&.
func (x member) when(strict string) string {
	if x.always {
		return ""
	}
	return strict + " && "
}

// unless returns the condition under which the rule of x does not hold, followed by ||.
func (x member) unless(strict string) string {
	if x.always {
		return ""
	}
	return "!" + strict + " || "
}

// writeDecodeMember writes the statements that read x, a member of m.
func (p *codec) writeDecodeMember(out *bytes.Buffer, m *message, x member, j, strict string) {
	v := "m." + x.field
	elem := strings.TrimPrefix(x.typ, "[]")
	switch {
	case x.constant != "":
		fmt.Fprintf(out, "if string(j.View()) != %[1]s {\n\tj.Refuse(\"is not \" + %[1]s)\n}\n", x.constant)
		return
	case x.isArray():
		fmt.Fprintf(out, `a := j.Array()
			%[1]s = make(%[2]s, 0, a.Room(min%[3]s))
			for a.Next() {
				%[1]s = append(%[1]s, %[3]s{})
				%[1]s[len(%[1]s)-1].decode(%[4]s, o, %[5]s)
			}
		`, v, x.typ, elem, j, strict)
		p.writeChecks(out, m, x, "a", v, strict)
		return
	case p.objectNamed(x.typ) != nil:
		if x.always {
			strict = "true"
		}
		if x.pointer {
			fmt.Fprintf(out, "%s = new(%s)\n", v, x.typ)
		} else { // a loose Reader may have the member twice
			fmt.Fprintf(out, "%s = %s{}\n", v, x.typ)
		}
		fmt.Fprintf(out, "%s.decode(%s, o, %s)\n", v, j, strict)
		return
	case x.pointer:
		fmt.Fprintf(out, "v := %s\n", p.readMember(x, j))
		p.writeChecks(out, m, x, "j", "v", strict)
		fmt.Fprintf(out, "%s = &v\n", v)
		return
	}
	fmt.Fprintf(out, "%s = %s\n", v, p.readMember(x, j))
	p.writeChecks(out, m, x, "j", v, strict)
}

// writeChecks writes the statements that check the value of x in the variable v, which
// j or, for an array, a has read.
func (p *codec) writeChecks(out *bytes.Buffer, m *message, x member, reader, v, strict string) {
	if x.max != "" {
		fmt.Fprintf(out, "if %[1]slen(%[2]s) > %[3]s {\n\t%[4]s.Fail(wire.Exceeded(len(%[2]s), %[3]s))\n}\n",
			x.when(strict), v, x.max, reader)
	}
	switch {
	case p.isRuleOf(m, x):
		fmt.Fprintf(out, "%sAt = j.At()\n", lower(x.field))
	case x.rule != "":
		fmt.Fprintf(out, "j.Check(%s%s, %s)\n", x.unless(strict), p.call(x, v, "o"), p.fault(x))
	}
}

// readMember returns the expression that reads the value of x.
func (p *codec) readMember(x member, j string) string {
	base := p.base(x.typ)
	switch {
	case x.kind == "range":
		return fmt.Sprintf("decodeRange(%s, o, %s, %s)", j, x.low, x.high)
	case x.kind != "":
		return fmt.Sprintf("decode%s(%s, o)", upper(x.kind), j)
	case base == "string":
		return convert(x.typ, base, "j.Text()")
	case base == "bool":
		return convert(x.typ, base, "j.Bool()")
	case base == "netip.Addr":
		return "j.Addr()"
	}
	return convert(x.typ, base, fmt.Sprintf("decode%s(%s, o)", upper(base), j))
}

// isRuleOf reports whether the rule of x is one of several members of m.
func (p *codec) isRuleOf(m *message, x member) bool {
	return x.rule != "" && p.functions[m.name+"."+x.rule] != nil
}

// fault returns the name of the constant with the reason for which the rule of x
// refuses a value: the name of the rule, or of the type whose method it is, and Fault.
func (p *codec) fault(x member) string {
	if p.functions[x.rule] == nil && p.functions[x.typ+"."+x.rule] != nil {
		return lower(x.typ) + "Fault"
	}
	return lower(x.rule) + "Fault"
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
