package main

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// loadObjects finds the members of JSON objects, once all types are known.
func (p *codec) loadObjects() error {
	for _, m := range p.messages {
		if m.fieldList == nil {
			continue
		}
		m.inEnvelope = p.envelope.name != "" && slices.ContainsFunc(m.fieldList.List, func(f *ast.Field) bool {
			return len(f.Names) == 0 && types.ExprString(f.Type) == p.envelope.name
		})
		m.isObject = m.isObject || m.inEnvelope
	}
	for _, m := range p.messages {
		if !m.isObject {
			continue
		}
		if m.inEnvelope && p.envelope.hasExtra {
			m.extraField = "Extra"
		}
		if m.fieldList == nil {
			return p.mistake(m.at, m.name, "an object must be a struct")
		}
		if err := p.addMembers(m, m.fieldList, ""); err != nil {
			return err
		}
		for i, c := range m.consts {
			m.json = slices.Insert(m.json, i, member{name: c.wire, constant: c.value})
		}
		key := p.envelope.key
		hasKey := slices.ContainsFunc(m.json, func(x member) bool { return x.name == key })
		if m.inEnvelope && key != "" && !hasKey {
			m.json = slices.Insert(m.json, 0, member{name: key, constant: m.key})
		}
	}
	for _, m := range p.messages {
		m.inline = m.inline && m.part && !p.isMember(m)
	}
	return p.checkObjects()
}

// isMember reports whether m is a member of other objects, or an element of their arrays.
func (p *codec) isMember(m *message) bool {
	return slices.ContainsFunc(p.messages, func(outer *message) bool {
		return slices.ContainsFunc(outer.json, func(x member) bool {
			return x.kind == "" && strings.TrimPrefix(x.typ, "[]") == m.name
		})
	})
}

// maxMembers is the maximum number of members that package wirejson reads.
const maxMembers = 32

// checkObjects fails if package wirejson cannot read an object, or cannot give the path of
// a field in errors: a path consists of an element of an array, an object in it, an object
// in that object, and a member of that one.
func (p *codec) checkObjects() error {
	for _, m := range p.messages {
		if len(m.json) > maxMembers {
			return p.mistake(m.at, m.name, "has %d members; %d are allowed", len(m.json), maxMembers)
		}
		if m.inline {
			continue
		}
		for _, x := range m.json {
			if x.isArray() && m.part {
				return p.mistake(x.at, m.name+"."+x.field,
					"is an array in an object, which only messages and objects in line can have")
			}
		}
		if p.isDeeper(m, 2) {
			return p.mistake(m.at, m.name, "objects nest deeper than three")
		}
	}
	return nil
}

// isDeeper reports whether objects in m nest deeper than depth.
func (p *codec) isDeeper(m *message, depth int) bool {
	return slices.ContainsFunc(m.json, func(x member) bool {
		inner := p.objectNamed(x.typ)
		return inner != nil && (depth == 0 || p.isDeeper(inner, depth-1))
	})
}

// addMembers adds the members that the tags of fields name. prefix leads to the
// fields from m.
func (p *codec) addMembers(m *message, fields *ast.FieldList, prefix string) error {
	if slices.ContainsFunc(fields.List, isExtra) {
		m.extraField = prefix + "Extra"
	}
	tagged, err := p.taggedFields(m.name, fields)
	if err != nil {
		return err
	}
	for _, f := range tagged {
		what := m.name + "." + f.name
		if f.wire == ",inline" {
			inner := p.objectNamed(f.typ)
			if inner == nil {
				return p.mistake(f.at, what, "%s is inline and not a type with the directive //%s", f.typ,
					directiveObject)
			}
			inner.inline = true
			if err := p.addMembers(m, inner.fieldList, prefix+f.name+"."); err != nil {
				return err
			}
			continue
		}
		x, err := p.newMember(what, f)
		if err != nil {
			return err
		}
		x.field = prefix + f.name
		m.json = append(m.json, x)
	}
	return nil
}

// wordsOfMember are the words that may follow the name in the tag of a member, besides
// the kinds of the package.
var wordsOfMember = []string{"must", "must=", "should=", "max=", "range=", "omitzero", "lenient", "plain"}

// newMember returns the member that f declares.
func (p *codec) newMember(what string, f taggedField) (x member, err error) {
	words := strings.Split(f.wire, ",")
	x.name, x.at = words[0], f.at
	x.typ, x.pointer = strings.CutPrefix(f.typ, "*")
	var seen []string
	for _, argument := range words[1:] {
		word, value, hasValue := strings.Cut(argument, "=")
		if slices.Contains(seen, word) || hasValue && value == "" {
			return x, p.mistake(f.at, what, "the tag has %s twice or without a value", argument)
		}
		seen = append(seen, word)
		if hasValue {
			word += "="
		}
		switch word {
		case "must":
			x.always = true
		case "must=":
			x.rule, x.always = value, true
		case "should=":
			x.rule = value
		case "omitzero":
			x.omitZero = true
		case "lenient":
			x.lenient = true
		case "plain":
			x.plain = true
		case "max=":
			x.max = value
		case "range=":
			x.kind = "range"
			x.low, x.high, _ = strings.Cut(value, "..")
		default:
			kinds := p.kindsOfJSON()
			if x.kind != "" || !slices.Contains(kinds, argument) {
				return x, p.mistake(f.at, what,
					"unknown word %s in the tag; known are %s, and one of the package's kinds: %s",
					argument, strings.Join(wordsOfMember, ", "), cmp.Or(strings.Join(kinds, ", "), "none here"))
			}
			x.kind = argument
		}
	}
	return x, p.checkMember(what, x)
}

// kindsOfJSON returns the kinds of the package, which are named by its functions decodeX
// that read JSON.
func (p *codec) kindsOfJSON() (kinds []string) {
	for name, f := range p.functions {
		kind, ok := strings.CutPrefix(name, "decode")
		if ok && kind != "" && len(f.Type.Params.List) > 0 &&
			types.ExprString(f.Type.Params.List[0].Type) == "*wirejson.Reader" {
			kinds = append(kinds, lower(kind))
		}
	}
	slices.Sort(kinds)
	return kinds
}

// checkMember fails if x has a type that no function reads, or a word that does not fit
// its type.
func (p *codec) checkMember(what string, x member) error {
	base := p.base(x.typ)
	isObject := p.objectNamed(x.typ) != nil
	isArray := x.isArray()
	switch {
	case x.name == "":
		return p.mistake(x.at, what, "the tag names no member")
	case x.kind == "range" && (x.low == "" || x.high == ""):
		return p.mistake(x.at, what, "the tag has a range that is not LOW..HIGH")
	case x.max != "" && base != "string" && !strings.HasPrefix(base, "[]") && !strings.HasPrefix(base, "map["):
		return p.mistake(x.at, what, "max= is for texts and lists, not for %s", x.typ)
	case x.plain && (base != "string" || x.rule == ""):
		return p.mistake(x.at, what, "plain is for texts with must= or should=")
	case base == "int" && x.kind == "" && x.rule == "":
		return p.mistake(x.at, what,
			"an int needs range=, must=, should= or a kind, so that every value that is appended can be read")
	case isArray && p.objectNamed(strings.TrimPrefix(x.typ, "[]")) == nil:
		return p.mistake(x.at, what, "%s is an array of no object with a directive; name a kind of the package: %s",
			x.typ, strings.Join(p.kindsOfJSON(), ", "))
	case x.always && x.rule == "" && !isObject:
		return p.mistake(x.at, what, "must without a rule is for objects, not for %s", x.typ)
	case isObject || isArray || x.kind != "" || base == "string" || base == "bool" || base == "netip.Addr":
		return nil
	case p.functions["decode"+upper(base)] == nil:
		return p.mistake(x.at, what, "%s has no form of its own; name a kind of the package: %s", x.typ,
			strings.Join(p.kindsOfJSON(), ", "))
	}
	return nil
}
