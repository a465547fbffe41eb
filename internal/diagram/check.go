package diagram

import (
	"fmt"
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
)

// Check compares the diagrams in the comments of the package in a directory with
// its golden files, and returns how many there are and what is wrong.
func Check(dir string) (count int, problems []error) {
	examples, err := examplesIn(dir)
	if err != nil {
		return 0, []error{err}
	}
	comments, err := commentsIn(dir)
	if err != nil {
		return 0, []error{err}
	}
	for _, c := range comments {
		layouts, errs := c.layouts()
		count += len(layouts)
		for _, err := range append(errs, compare(layouts, examples)...) {
			problems = append(problems, fmt.Errorf("%s: %w", c.where, err))
		}
	}
	return count, problems
}

// A docComment is the comment of a package or a type.
type docComment struct {
	where string
	typ   string // "" for the package
	text  string
}

// commentsIn returns the comments of the package in a directory.
func commentsIn(dir string) ([]docComment, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var all []docComment
	for _, p := range paths {
		if strings.HasSuffix(p, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		if f.Doc != nil {
			all = append(all, docComment{p, "", f.Doc.Text()})
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE || g.Doc == nil {
				continue
			}
			if name := g.Specs[0].(*ast.TypeSpec).Name; name.IsExported() {
				all = append(all, docComment{p, name.Name, g.Doc.Text()})
			}
		}
	}
	return all, nil
}

// layouts returns the diagrams of a comment.
func (c docComment) layouts() (all []layout, errs []error) {
	var p comment.Parser
	inFormat := c.typ != ""
	for _, b := range p.Parse(c.text).Content {
		switch b := b.(type) {
		case *comment.Heading:
			inFormat = slices.Equal(b.Text, []comment.Text{comment.Plain("Wire format")})
		case *comment.Code:
			if !inFormat {
				continue
			}
			found, err := block(b.Text, c.typ)
			if err != nil {
				errs = append(errs, err)
			}
			all = append(all, found...)
		}
	}
	return all, errs
}

// compare returns what is wrong with the diagrams of one comment.
func compare(layouts []layout, examples []example) (problems []error) {
	seen := map[*element]bool{}
	for _, e := range examples {
		if problem := fitsOne(layouts, e, seen); problem != "" {
			problems = append(problems, fmt.Errorf("%s: %s.hex fits no diagram: %s", e.typ, e.file, problem))
		}
	}
	for _, l := range layouts {
		for _, typ := range l.types {
			if !l.isSomewhere(typ, examples, seen) {
				problems = append(problems, fmt.Errorf("%s: diagram %q fits no golden file", typ, l.text))
			}
		}
		if e := unseen(l.elements, seen); e != nil && l.sample == nil {
			problems = append(problems, fmt.Errorf("%q of the diagram %q is in no golden file", e.text, l.text))
		}
	}
	return problems
}

// fitsOne returns why e fits none of the diagrams of its type: "" if it fits, or
// if there is none.
func fitsOne(layouts []layout, e example, seen map[*element]bool) (problem string) {
	at, found := -1, false
	for _, l := range layouts {
		if l.part || l.sample != nil || !slices.Contains(l.types, e.typ) {
			continue
		}
		ok, furthest, why := fits(l.elements, e, 0, true, seen)
		if found = found || ok; furthest > at {
			at, problem = furthest, why
		}
	}
	if found {
		return ""
	}
	return problem
}

// isSomewhere tells whether l fits an example of a type, or a part of one. If no
// example is of the type, it may be a part of any.
func (l layout) isSomewhere(typ string, examples []example, seen map[*element]bool) bool {
	isMessage := slices.ContainsFunc(examples, func(e example) bool { return e.typ == typ })
	found := false
	for _, e := range examples {
		switch {
		case isMessage && e.typ != typ:
		case l.sample != nil:
			found = found || l.sample.Match(e.data)
		case isMessage && !l.part:
			ok, _, _ := fits(l.elements, e, 0, true, seen)
			found = found || ok
		default:
			for _, f := range e.fields {
				ok, _, _ := fits(l.elements, e, f.offset, false, seen)
				found = found || ok
			}
		}
	}
	return found
}

// unseen returns an element that no example has, nil if there is none.
func unseen(elements []element, seen map[*element]bool) *element {
	for i := range elements {
		e := &elements[i]
		if e.kind == group {
			if inner := unseen(e.within, seen); inner != nil {
				return inner
			}
		} else if !seen[e] {
			return e
		}
	}
	return nil
}
