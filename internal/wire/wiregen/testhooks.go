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
	"specialLaw", "codecOf", "compare", "loose", "sent", "optionsFor",
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

// checkTests fails if a directive marks a name that no generated test uses, or has
// a word.
func (p *codec) checkTests() error {
	for name, d := range p.tests {
		message, fuzz := strings.CutPrefix(name, "Fuzz")
		if !slices.Contains(testNames, name) && !(fuzz && p.messageNamed(message) != nil) {
			return p.mistake(d.pos, name, "generated tests do not use this name; they use FuzzX for a message X, %s",
				strings.Join(testNames, ", "))
		}
		if len(d.arguments) > 0 {
			return p.mistake(d.pos, name, "//%s: unknown word %s", directiveTest, d.arguments[0])
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
