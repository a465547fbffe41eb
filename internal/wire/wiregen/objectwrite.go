package main

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// writeObject writes the list of members, the smallest size and the codec of an
// object, except what the package has by hand.
func (p *codec) writeObject(out *bytes.Buffer, m *message) {
	byHand := m.decode != nil && m.append != nil // by hand
	if m.inline || byHand && m.inEnvelope {
		return
	}
	var names []string
	for _, x := range m.json {
		names = append(names, strconv.Quote(x.name))
	}
	fmt.Fprintf(out, "\n// %[1]s are the members of %[2]s.\nvar %[1]s = [...]string{%[3]s}\n",
		m.memberList(), m.name, strings.Join(names, ", "))
	if p.isElement(m) {
		fmt.Fprintf(out, "\n// min%[1]s is the size of the smallest %[1]s.\nconst min%[1]s = len(`%[2]s`)\n", m.name,
			p.smallest(m))
	}
	if byHand {
		part := *m
		part.part = true
		p.writeDecodeObject(out, &part, "decodeObject")
		p.writeAppendObject(out, &part, "appendObject")
		return
	}
	if m.decode == nil {
		p.writeDecodeObject(out, m, "decode")
	}
	if m.append == nil {
		p.writeAppendObject(out, m, "append")
	}
}

// isElement reports whether there are arrays of m.
func (p *codec) isElement(m *message) bool {
	return slices.ContainsFunc(p.messages, func(outer *message) bool {
		return slices.ContainsFunc(outer.json, func(x member) bool { return x.typ == "[]"+m.name })
	})
}

// smallest returns the smallest object: each value has the fewest bytes of its kind.
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
		case x.isArray():
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
