package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// check fails if m names something that the package lacks, or has no codec.
func (p *codec) check(m *message) error {
	if err := p.checkMembers(m); err != nil {
		return err
	}
	if !m.isObject {
		if err := p.addFields(m); err != nil {
			return err
		}
	}
	if err := p.checkNames(m); err != nil {
		return err
	}
	if !m.hasDecode() && !m.hasAppend() && !m.union && len(m.keyed) == 0 {
		return p.mistake(m.at, m.name, "has neither a field with a tag nor a method decode, append or layout")
	}
	if err := p.checkTagged(m); err != nil {
		return err
	}
	for _, f := range []struct{ of, name string }{{m.name + ".", "decode"}, {m.name + ".", "append"},
		{m.name + ".", "layout"}, {"", m.end}} {
		if err := p.checkComment(f.of, f.name); err != nil {
			return err
		}
	}
	if err := p.checkAppend(m); err != nil {
		return err
	}
	for _, f := range m.fields {
		if err := p.checkFails(m, f); err != nil {
			return err
		}
	}
	return p.checkVariants(m)
}

// checkFails fails if f has a kind of the package that does not state why appending
// fails.
func (p *codec) checkFails(m *message, f field) error {
	if f.kind == "" || m.variants != "" {
		return nil
	}
	name := "append" + upper(f.kind)
	appends := p.functions[name]
	if appends == nil || p.fails[name] != "" {
		return nil
	}
	return p.mistake(appends.Pos(), name, "the comment lacks //%s REASON, or //%[1]s never", directiveFails)
}

// checkAppend fails if a method that appends m does not state why it fails.
func (p *codec) checkAppend(m *message) error {
	name := m.ownAppend()
	if name == "" || m.isObject || p.fails[name] != "" || p.functions[name].Doc.Text() != "" {
		return nil
	}
	return p.mistake(p.functions[name].Pos(), name, "the comment lacks when it fails, or //%s never", directiveFails)
}

// checkComment fails if the comment of a function does not start with its name, because
// the comments of generated functions repeat the rest.
func (p *codec) checkComment(receiver, name string) error {
	f := p.functions[receiver+name]
	if f == nil || f.Doc.Text() == "" || tail(f, name) != "" {
		return nil
	}
	return p.mistake(f.Pos(), receiver+name, "the comment must start with %s", name)
}

// checkNames fails if the package lacks a constant, type or function that the directive of
// m or the tag of a member names.
func (p *codec) checkNames(m *message) error {
	for _, c := range m.consts {
		if !p.isValue(c.value) {
			return p.mistake(m.at, m.name, "%s=%s: the package has no such constant", c.wire, c.value)
		}
	}
	switch {
	case m.union && m.key != "" && p.types[m.key] == "" && !slices.Contains(basicTypes, m.key):
		return p.mistake(m.at, m.name, "key=%s: the package has no such type", m.key)
	case !m.union && m.command == "" && m.key != "":
		for key := range strings.SplitSeq(m.key, ",") {
			if !p.isValue(key) {
				return p.mistake(m.at, m.name, "key=%s: the package has no such constant", key)
			}
		}
	}
	if m.end != "" && p.functions[m.end] == nil {
		return p.mistake(m.at, m.name, "end=%s: the package has no such function", m.end)
	}
	if m.frame != "" {
		for _, name := range []string{"enter", "leave", "open", "seal"} {
			if p.functions[name] == nil {
				return p.mistake(m.at, m.name, "frame=%s: the package has no function %s", m.frame, name)
			}
		}
	}
	for _, x := range m.json {
		if err := p.checkMemberNames(m, x); err != nil {
			return err
		}
	}
	return nil
}

// checkMemberNames fails if the package lacks what the tag of x names.
func (p *codec) checkMemberNames(m *message, x member) error {
	what := m.name + "." + x.field
	for _, bound := range []string{x.low, x.high, x.max} {
		if bound != "" && !p.isValue(bound) {
			return p.mistake(x.at, what, "the package has no constant %s", bound)
		}
	}
	if x.rule == "" {
		return nil
	}
	foreign := strings.Contains(p.base(x.typ), ".") || strings.Contains(x.typ, ".")
	if p.functions[x.rule] == nil && p.functions[x.typ+"."+x.rule] == nil && p.functions[m.name+"."+x.rule] == nil &&
		!foreign {
		return p.mistake(x.at, what, "the package has no function %s and no method of %s or %s with this name", x.rule,
			x.typ, m.name)
	}
	if fault := p.fault(x); !p.values[fault] {
		return p.mistake(x.at, what, "the package has no constant %s, the reason for which %s refuses a value", fault,
			x.rule)
	}
	return nil
}

// basicTypes are types of keys.
var basicTypes = []string{"string", "byte", "int", "uint8", "uint16"}

// isValue reports whether text is a number, a text in quotes, or the name of a constant or
// variable.
func (p *codec) isValue(text string) bool {
	if _, err := strconv.ParseInt(text, 0, 64); err == nil {
		return true
	}
	if _, err := strconv.Unquote(text); err == nil {
		return true
	}
	return p.values[text]
}

// checkTagged fails if m has no codec of its own and a field that is in no layout.
func (p *codec) checkTagged(m *message) error {
	if m.fieldList == nil || m.decode != nil || m.append != nil || m.layout != nil || len(m.keyed) > 0 {
		return nil
	}
	for _, f := range m.fieldList.List {
		embedded := len(f.Names) == 0
		if f.Tag == nil && !embedded && !(m.isObject && isExtra(f)) {
			return p.mistake(f.Pos(), fmt.Sprintf("%s.%s", m.name, f.Names[0].Name),
				"has no tag, so it is not in the layout")
		}
	}
	return nil
}
