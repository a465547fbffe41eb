package main

import (
	"slices"
	"strings"
)

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
	reason := p.fails[m.ownAppend()]
	switch {
	case reason == never:
		return neverFails
	case reason != "":
		return "It fails if " + reason + "."
	}
	if m.isObject {
		return "It fails if a field is not valid or the message is too long."
	}
	var reasons []string
	for _, f := range m.fields {
		if reason := p.codeOf(f).fails; reason != "" && reason != never && !slices.Contains(reasons, reason) {
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

// isLong reports whether f may have many bytes.
func (p *codec) isLong(f field) bool {
	return p.base(f.typ) == "string" || strings.HasPrefix(p.base(f.typ), "[]")
}
