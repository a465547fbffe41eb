package main

import (
	"cmp"
	"go/ast"
	"slices"
	"strings"
)

// directiveTest marks what the package's own tests replace or configure.
const directiveTest = "wire:test"

// testNames are the names that tests can have besides FuzzX.
var testNames = []string{
	"TestGolden", "compare", "fuzz", "randomValues", "optionsFor", "loose", "sent", "goldenLaw", "appendWith",
}

// hasTest reports whether the package's own tests declare a name with a directive.
func (p *codec) hasTest(name string) bool {
	_, ok := p.tests[name]
	return ok
}

// loadTests adds the declarations with a directive in a file of tests.
func (p *codec) loadTests(f *ast.File) error {
	add := func(name string, doc *ast.CommentGroup) error {
		d, err := p.directiveOf(doc, name, directiveTest)
		if d.name != "" {
			p.tests[name] = d
		}
		return err
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if err := add(d.Name.Name, d.Doc); err != nil {
				return err
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				value, ok := spec.(*ast.ValueSpec)
				if !ok {
					continue
				}
				if err := add(value.Names[0].Name, cmp.Or(value.Doc, d.Doc)); err != nil {
					return err
				}
			}
		}
	}
	return p.checkPlaces(f)
}

// checkTests fails if a directive marks a name that no generated test uses, or names a
// message without options.
func (p *codec) checkTests() error {
	for name, d := range p.tests {
		message, isFuzz := strings.CutPrefix(name, "Fuzz")
		if !slices.Contains(testNames, name) && !(isFuzz && p.messageNamed(message) != nil) {
			return p.mistake(d.pos, name, "generated tests do not use this name; they use FuzzX for a message X, %s",
				strings.Join(testNames, ", "))
		}
		for _, word := range d.arguments {
			names, ok := strings.CutPrefix(word, "with=")
			if !ok {
				return p.mistake(d.pos, name, "//%s: unknown word %s; known is with=", directiveTest, word)
			}
			for _, message := range strings.Split(names, ",") {
				m := p.messageNamed(message)
				if m == nil || !p.hasOptions(m) {
					return p.mistake(d.pos, name, "//%s: %s is no message with options", directiveTest, message)
				}
				m.with = true
			}
		}
	}
	return nil
}

// messageNamed returns the message with a name, or nil.
func (p *codec) messageNamed(name string) *message {
	for _, m := range p.messages {
		if m.name == name && !m.part {
			return m
		}
	}
	return nil
}

// hasOptions reports whether m, which may be an interface, can be parsed and explained
// with options.
func (p *codec) hasOptions(m *message) bool {
	if m.union {
		return p.functions["Options.Explain"+m.name] != nil
	}
	return m.hasOptions()
}
