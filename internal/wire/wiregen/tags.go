package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// kindKey is the kind of fields in messages that consist of keys and values. The package
// declares the type keyType; see writeKeyed.
const (
	kindKey = "key"
	keyType = "key"
)

// A taggedField is a field of a struct with a tag.
type taggedField struct {
	at        token.Pos
	name, typ string
	wire      string   // the tag
	sizes     []string // of the layouts of a message that has several
}

// tagText matches the tags of types with a directive.
var tagText = regexp.MustCompile(`^wire:"([^"]*)"(?: +sizes:"([^"]*)")?$`)

// taggedFields returns the fields of the type what that have tags.
func (p *codec) taggedFields(what string, fields *ast.FieldList) (all []taggedField, err error) {
	for _, f := range fields.List {
		if f.Tag == nil {
			continue
		}
		var names []string
		for _, id := range f.Names {
			names = append(names, id.Name)
		}
		name := strings.Join(names, ", ")
		text, err := strconv.Unquote(f.Tag.Value)
		if err != nil {
			return nil, err
		}
		tag := tagText.FindStringSubmatch(text)
		if tag == nil {
			return nil, p.mistake(f.Pos(), what+"."+name,
				"the tag %s is not wire:\"...\", followed by sizes:\"...\" in a type with several layouts", text)
		}
		if len(names) != 1 {
			return nil, p.mistake(f.Pos(), what+"."+name, "a tag is for one field")
		}
		all = append(all, taggedField{f.Pos(), name, types.ExprString(f.Type), tag[1], strings.Fields(tag[2])})
	}
	return all, nil
}

// checkNoTags fails if a field of a type without a directive has a tag.
func (p *codec) checkNoTags(what string, fields *ast.FieldList) error {
	for _, f := range fields.List {
		if f.Tag != nil && strings.Contains(f.Tag.Value, "wire:") {
			return p.mistake(f.Pos(), what, "has a tag with wire and no directive; known are //%s, //%s and //%s",
				directiveMessage, directiveLayout, directiveObject)
		}
	}
	return nil
}

// addFields adds the fields of m that have tags to its layout.
func (p *codec) addFields(m *message) error {
	if m.fieldList == nil {
		return nil
	}
	tagged, err := p.taggedFields(m.name, m.fieldList)
	if err != nil {
		return err
	}
	for _, t := range tagged {
		wire, kind, _ := strings.Cut(t.wire, ",")
		kind, value, hasValue := strings.Cut(kind, "=")
		f := field{t.at, t.name, t.typ, wire, kind, value, t.sizes}
		if err := p.checkField(m, f, hasValue); err != nil {
			return err
		}
		if kind != kindKey {
			m.fields = append(m.fields, f)
			continue
		}
		if !hasValue {
			f.value = wire
		}
		m.keyed = append(m.keyed, f)
	}
	return nil
}

// checkField fails if f has a tag that names no field, or a kind that is not known for
// its type.
func (p *codec) checkField(m *message, f field, hasValue bool) error {
	what := m.name + "." + f.name
	if f.wire == "" {
		return p.mistake(f.at, what, "the tag names no field of the layout")
	}
	if f.kind == kindKey && p.types[keyType] != "" && (!hasValue || f.value != "") {
		return nil
	}
	if hasValue {
		return p.mistake(f.at, what, "unknown word %s=%s in the tag; only %s has a value", f.kind, f.value, kindKey)
	}
	sig, kinds := fieldSignature, p.kindsFor(f)
	typ := f.typ
	if m.variants != "" {
		element := f.elements()[0]
		sig, kinds = variantSignature, nil
		typ = element.typ
		if p.isNumber(element) {
			kinds = []string{""}
		}
	}
	own := p.ownKinds(typ, sig)
	if slices.Contains(kinds, f.kind) || f.kind != "" && slices.Contains(own, f.kind) {
		return nil
	}
	says := "unknown kind " + f.kind
	if f.kind == "" {
		says = "no kind"
	}
	allowed := append(kinds, own...)
	if len(allowed) == 0 {
		return p.mistake(f.at, what, "%s for the type %s; "+
			"the package can declare a kind x for it by decodeX(%s) %[2]s and appendX(%[4]s, %[2]s)",
			says, typ, strings.Join(sig.decode, ", "), strings.Join(sig.appends, ", "))
	}
	if i := slices.Index(allowed, ""); i >= 0 {
		allowed[i] = "none"
	}
	return p.mistake(f.at, what, "%s for the type %s; allowed are: %s", says, typ, strings.Join(allowed, ", "))
}

// kindsFor returns the kinds that every package has for the type of f. "" means that it
// needs none.
func (p *codec) kindsFor(f field) (kinds []string) {
	base := p.base(f.typ)
	number := numbers[base]
	if number != "" || f.typ == "[4]byte" {
		kinds = append(kinds, "")
	}
	if number == "uint16" || number == "uint32" {
		kinds = append(kinds, "le")
	}
	switch base {
	case "string":
		kinds = append(kinds, "text8", "text0")
	case "[]byte":
		kinds = append(kinds, "rest")
	}
	if p.types[keyType] != "" {
		kinds = append(kinds, kindKey)
	}
	return kinds
}

// A signature lists the parameters of the functions decodeX and appendX of a kind X.
type signature struct {
	decode, appends []string // types; the type of the value comes last
}

var (
	fieldSignature = signature{
		[]string{"*wire.Reader", "string"},
		[]string{"*wire.Writer", "string"},
	}
	variantSignature = signature{
		[]string{"*wire.Reader", "Options", "int", "string"},
		[]string{"*wire.Writer", "*wire.Block", "int", "string"},
	}
)

// ownKinds returns the kinds of the package for values of a type: every X with functions
// decodeX and appendX.
func (p *codec) ownKinds(typ string, sig signature) (kinds []string) {
	for name := range p.functions {
		kind, ok := strings.CutPrefix(name, "decode")
		if ok && kind != "" && p.isKind(kind, typ, sig) {
			kinds = append(kinds, lower(kind))
		}
	}
	slices.Sort(kinds)
	return kinds
}

// isKind reports whether the package has functions decodeX and appendX of a signature, for X and
// values of a type.
func (p *codec) isKind(x, typ string, sig signature) bool {
	decode, appends := p.functions["decode"+x], p.functions["append"+x]
	return decode != nil && appends != nil && decode.Type.Results != nil &&
		slices.Equal(typesOf(decode.Type.Params), sig.decode) &&
		slices.Equal(typesOf(decode.Type.Results), []string{typ}) &&
		slices.Equal(typesOf(appends.Type.Params), append(slices.Clip(sig.appends), typ))
}

// typesOf returns the types of parameters or results, one for each.
func typesOf(list *ast.FieldList) (all []string) {
	for _, f := range list.List {
		for range max(1, len(f.Names)) {
			all = append(all, types.ExprString(f.Type))
		}
	}
	return all
}
