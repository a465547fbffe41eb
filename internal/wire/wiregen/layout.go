package main

import (
	"bytes"
	"fmt"
	"strings"
)

// A code is the Go code that reads and appends a field.
type code struct {
	typ     string // Go type of the value that is read and appended
	read    string // expression that reads the value; %q is the name of the field
	appends string // statement that appends it; %[1]q is the name, %[2]s the value
	fails   string // reason for which appending fails, or ""
}

// codeOf returns the code of f.
func (p *codec) codeOf(f field) code {
	base := p.base(f.typ)
	number, isNumber := numbers[base]
	switch {
	case f.kind == "text8":
		return code{"string", "r.Text8(%q)", "w.Text8(%[1]q, %[2]s)", "a text is longer than 255 bytes"}
	case f.kind == "text0":
		return code{"string", "r.Text0(%q)", "w.Text0(%[1]q, %[2]s)", "a text contains a zero byte"}
	case f.kind == "rest":
		return code{f.typ, "r.Rest(%q)", "w.Bytes(%[2]s)", ""}
	case f.kind == "" && f.typ == "[4]byte":
		return code{f.typ, "r.Array4(%q)", "w.Bytes(%[2]s[:])", ""}
	case isNumber && (f.kind == "" || f.kind == "le"):
		method := upper(number) + strings.ToUpper(f.kind)
		return code{number, "r." + method + "(%q)", "w." + method + "(%[2]s)", ""}
	case f.kind == "":
		return code{} // such as an array in a message with several layouts
	}
	appends := "append" + upper(f.kind)
	return code{f.typ, "decode" + upper(f.kind) + "(r, %q)", appends + "(w, %[1]q, %[2]s)", p.fails[appends]}
}

// writeLayout writes decode and append of a message with a layout. If the package
// has decode or append of a message, its tags declare only the start of it, and
// writeLayout writes decodeHeader or appendHeader.
func (p *codec) writeLayout(out *bytes.Buffer, m *message) {
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

// read returns the statement that reads f.
func (p *codec) read(f field) string {
	code := p.codeOf(f)
	return fmt.Sprintf("m.%s = %s", f.name, convert(f.typ, code.typ, fmt.Sprintf(code.read, f.wire)))
}

// appendTo returns the statement that appends f.
func (p *codec) appendTo(f field) string {
	code := p.codeOf(f)
	return fmt.Sprintf(code.appends, f.wire, convert(code.typ, f.typ, "m."+f.name))
}

// convert returns expression, of type from, as one of type to.
func convert(to, from, expression string) string {
	if to == from {
		return expression
	}
	return to + "(" + expression + ")"
}
