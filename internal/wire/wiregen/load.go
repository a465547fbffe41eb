package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// load reads the package in dir.
func load(dir string) (*codec, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	p := &codec{
		types:     make(map[string]string),
		functions: make(map[string]*ast.FuncDecl),
		tests:     make(map[string]directive),
		fails:     make(map[string]string),
		values:    make(map[string]bool),
		files:     token.NewFileSet(),
		placed:    make(map[token.Pos]bool),
	}
	for _, path := range paths {
		if err := p.loadFile(path); err != nil {
			return nil, err
		}
	}
	if len(p.messages) == 0 {
		return nil, fmt.Errorf("no type in %s has a directive", dir)
	}
	for _, m := range p.messages {
		m.decode = p.functions[m.name+".decode"]
		m.append = p.functions[m.name+".append"]
		if l := p.functions[m.name+".layout"]; l != nil && l.Type.Params.NumFields() == 1 && l.Type.Results == nil {
			m.layout = l
		}
		if m.union {
			m.decode = p.functions["decode"+m.name]
		}
	}
	if err := p.loadObjects(); err != nil {
		return nil, err
	}
	for _, m := range p.messages {
		if err := p.check(m); err != nil {
			return nil, err
		}
	}
	if err := p.checkTests(); err != nil {
		return nil, err
	}
	slices.SortFunc(p.messages, func(a, b *message) int { return cmp.Compare(a.name, b.name) })
	return p, nil
}

// loadFile adds what a file declares.
func (p *codec) loadFile(path string) error {
	base := filepath.Base(path)
	if base == codeFile || base == testFile || base == layoutFile {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	f, err := parser.ParseFile(p.files, path, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	if strings.HasSuffix(base, "_test.go") {
		return p.loadTests(f)
	}
	p.name = f.Name.Name
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			if err := p.add(d); err != nil {
				return err
			}
		case *ast.FuncDecl:
			p.functions[receiver(d)+d.Name.Name] = d
			fails, err := p.directiveOf(d.Doc, receiver(d)+d.Name.Name, directiveFails)
			if err != nil {
				return err
			}
			p.fails[receiver(d)+d.Name.Name] = strings.Join(fails.arguments, " ")
		}
	}
	return p.checkPlaces(f)
}

// add adds the types and the names of values that d declares.
func (p *codec) add(d *ast.GenDecl) error {
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.ValueSpec:
			for _, id := range spec.Names {
				p.values[id.Name] = true
			}
		case *ast.TypeSpec:
			p.types[spec.Name.Name] = types.ExprString(spec.Type)
			if err := p.addType(spec, cmp.Or(spec.Doc, d.Doc)); err != nil {
				return err
			}
		}
	}
	return nil
}

// addType adds a type, if it has a directive.
func (p *codec) addType(spec *ast.TypeSpec, doc *ast.CommentGroup) error {
	d, err := p.directiveOf(doc, spec.Name.Name, directiveMessage, directiveLayout, directiveObject, directiveEnvelope)
	if err != nil {
		return err
	}
	structType, isStruct := spec.Type.(*ast.StructType)
	if d.name == "" {
		if isStruct {
			return p.checkNoTags(spec.Name.Name, structType.Fields)
		}
		return nil
	}
	m := &message{
		name:   spec.Name.Name,
		at:     d.pos,
		doc:    doc.Text(),
		part:   d.name != directiveMessage,
		object: object{isObject: d.name == directiveObject},
	}
	_, m.union = spec.Type.(*ast.InterfaceType)
	if err := p.addWords(m, d); err != nil {
		return err
	}
	if d.name == directiveEnvelope {
		p.envelope.name, p.envelope.key = m.name, m.key
		p.envelope.hasExtra = isStruct && slices.ContainsFunc(structType.Fields.List, isExtra)
		return nil
	}
	if isStruct {
		m.fieldList = structType.Fields
	}
	p.messages = append(p.messages, m)
	return nil
}

// receiver returns "X." for a method of X or *X, and "" for a function.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	return strings.TrimPrefix(types.ExprString(f.Recv.List[0].Type), "*") + "."
}

// The generated files of a package.
const (
	codeFile   = "zz_generated.go"
	testFile   = "zz_generated_test.go"
	layoutFile = "layouts.go"
)

// moduleOf returns the directory and the path of the module that dir is in, and the path
// of the package there.
func moduleOf(dir string) (root, module, path string, err error) {
	root, err = filepath.Abs(dir)
	if err != nil {
		return "", "", "", err
	}
	for {
		text, err := os.ReadFile(filepath.Join(root, "go.mod"))
		if err == nil {
			line, _, _ := strings.Cut(string(text), "\n")
			module = strings.TrimSpace(strings.TrimPrefix(line, "module"))
			return root, module, module + path, nil
		}
		parent := filepath.Dir(root)
		if parent == root {
			return "", "", "", err
		}
		root, path = parent, "/"+filepath.Base(root)+path
	}
}
