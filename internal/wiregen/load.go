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

// A codec is a package and its messages.
type codec struct {
	name      string
	messages  []*message               // types with a directive, sorted by name
	tests     map[string]directive     // declarations of its tests with a directive, by name
	types     map[string]string        // underlying types by name
	functions map[string]*ast.FuncDecl // by name; methods by Type.name
	fails     map[string]string        // why a function appendX fails, by its name
	values    map[string]bool          // names of constants and variables
	envelope  envelope

	files  *token.FileSet
	placed map[token.Pos]bool // the directives that belong to a declaration
}

// An envelope is the JSON around the object of each message.
type envelope struct {
	name string // of the type that messages embed; "" if the package has none
	in   string // path of the object in the envelope
	key  string // the member of the object that is the key, if it is a member

	hasExtra bool // the type has the field Extra, for unknown members of the object
}

// A message is a type with a directive.
type message struct {
	name    string
	at      token.Pos
	doc     string   // its comment
	part    bool     // of messages; it gets no ParseX and no AppendBinary
	union   bool     // an interface that stands for several messages
	members []string // names of the interfaces to which it belongs
	key     string   // its key, or the type of the keys of a union
	command string   // the value of its key, if that is a constant to declare

	with      bool           // tests have a codec of it for given options
	canonical bool           // each value has one wire form
	fieldList *ast.FieldList // of the struct; nil if it is none

	binary // its layout, if it is bytes
	object // its layout, if it is JSON

	decode, append, layout *ast.FuncDecl // nil if there is none
}

// A binary is a layout in bytes.
type binary struct {
	consts   []field // constants before the fields
	fields   []field // with tags, in order
	keyed    []field // with tags of the kind key, in order
	end      string  // the function that reads the bytes after the fields, or ""
	frame    string  // its type in a frame; "" if it has no frame
	variants string  // its layouts, if it has several
}

// An object is a layout in JSON.
type object struct {
	isObject   bool // the layout is a JSON object
	inEnvelope bool // the object is in an envelope
	inline     bool // the object is only part of others, in line
	json       []member
	extraField string // path of the field for unknown members, or ""
}

// hasDecode reports whether the message can be read.
func (m *message) hasDecode() bool { return m.decode != nil || m.layout != nil || m.hasLayout() }

// hasAppend reports whether the message can be appended.
func (m *message) hasAppend() bool { return m.append != nil || m.layout != nil || m.hasLayout() }

// hasLayout reports whether tags or the directive declare the layout.
func (m *message) hasLayout() bool {
	return m.isObject || m.frame != "" || len(m.consts)+len(m.fields) > 0
}

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
	if base == name || base == testName || base == layoutName {
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
