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

// The directives.
const (
	directiveMessage = "//wire:message"
	directiveLayout  = "//wire:layout" // a part of messages
)

var directives = []string{directiveMessage, directiveLayout, directiveObject, directiveEnvelope}

// A codec is a package and its messages.
type codec struct {
	name      string
	messages  []*message               // types with a directive, sorted by name
	tests     string                   // the text of its own tests
	types     map[string]string        // underlying types by name
	functions map[string]*ast.FuncDecl // by name; methods by Type.name
	envelope  envelope
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
	doc     string   // its comment
	part    bool     // of messages; it gets no ParseX and no AppendBinary
	union   bool     // an interface that stands for several messages
	members []string // names of the interfaces to which it belongs
	key     string   // its key, or the type of the keys of a union
	command string   // the value of its key, if that is a constant to declare

	canonical bool    // each value has one wire form
	consts    []field // constants before the fields
	fields    []field // with tags, in order
	keyed     []field // with tags of the kind key, in order
	end       string  // the function that reads the bytes after the fields, or ""
	frame     string  // its type in a frame; "" if it has no frame
	variants  string  // its layouts, if it has several

	object     bool           // its layout is a JSON object
	inEnvelope bool           // the object is in an envelope
	inline     bool           // the object is only part of others, in line
	json       []member       // of the object
	extraField string         // path of the field for unknown members, or ""
	fieldList  *ast.FieldList // of the struct

	decode, append, layout *ast.FuncDecl // nil if there is none
}

// hasDecode reports whether the message can be read.
func (m *message) hasDecode() bool { return m.decode != nil || m.layout != nil || m.hasLayout() }

// hasAppend reports whether the message can be appended.
func (m *message) hasAppend() bool { return m.append != nil || m.layout != nil || m.hasLayout() }

// hasLayout reports whether tags or the directive declare the layout.
func (m *message) hasLayout() bool {
	return m.object || m.frame != "" || len(m.consts)+len(m.fields) > 0
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
	}
	for _, path := range paths {
		base := filepath.Base(path)
		if base == name || base == testName || base == layoutName {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if strings.HasSuffix(base, "_test.go") {
			p.tests += string(text)
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.name = f.Name.Name
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				if err := p.add(d); err != nil {
					return nil, fmt.Errorf("%s: %w", path, err)
				}
			case *ast.FuncDecl:
				p.functions[receiver(d)+d.Name.Name] = d
			}
		}
	}
	if err := p.loadObjects(); err != nil {
		return nil, err
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
		if !m.hasDecode() && !m.hasAppend() && !m.union && len(m.keyed) == 0 {
			return nil, fmt.Errorf("%s has neither decode nor append nor tags", m.name)
		}
		if err := m.checkVariants(); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(p.messages, func(a, b *message) int { return cmp.Compare(a.name, b.name) })
	return p, nil
}

// add adds the types that d declares.
func (p *codec) add(d *ast.GenDecl) error {
	for _, spec := range d.Specs {
		typ, ok := spec.(*ast.TypeSpec)
		if !ok {
			continue
		}
		p.types[typ.Name.Name] = types.ExprString(typ.Type)
		directive, arguments := directiveOf(cmp.Or(typ.Doc, d.Doc))
		if directive == "" {
			continue
		}
		m := &message{
			name:   typ.Name.Name,
			doc:    cmp.Or(typ.Doc, d.Doc).Text(),
			part:   directive != directiveMessage,
			object: directive == directiveObject,
		}
		_, m.union = typ.Type.(*ast.InterfaceType)
		structType, isStruct := typ.Type.(*ast.StructType)
		for _, a := range arguments {
			name, value, isPair := strings.Cut(a, "=")
			switch {
			case a == "canonical":
				m.canonical = true
			case a == "object":
				m.object = true
			case a == "inline":
				m.inline = true
			case directive == directiveEnvelope && name == "in":
				p.envelope.in = value
			case directive == directiveEnvelope && name == "key":
				p.envelope.key = value
			case !isPair:
				m.members = append(m.members, a)
			case name == "key":
				m.key = value
			case name == "command":
				m.key, m.command = "command"+m.name, value
			case name == "layouts":
				m.variants = value
			case name == "end":
				m.end = value
			case name == "frame":
				m.frame, m.key = value, value
			default:
				m.consts = append(m.consts, field{wire: name, value: value})
			}
		}
		if directive == directiveEnvelope {
			p.envelope.name = m.name
			p.envelope.hasExtra = isStruct && slices.ContainsFunc(structType.Fields.List, isExtra)
			continue
		}
		if isStruct {
			m.fieldList = structType.Fields
			if err := m.addFields(); err != nil {
				return fmt.Errorf("%s: %w", m.name, err)
			}
		}
		if m.key == "" && !m.union && len(m.consts) > 0 {
			m.key = m.consts[0].value
		}
		p.messages = append(p.messages, m)
	}
	return nil
}

// declaresInTests reports whether the package's own tests declare a function or variable.
func (p *codec) declaresInTests(name string) bool {
	return slices.ContainsFunc([]string{"func " + name + "(", "func " + name + "[", "var " + name + " "}, func(start string) bool {
		return strings.Contains(p.tests, "\n"+start)
	})
}

// directiveOf returns the directive in doc and its arguments, or "".
func directiveOf(doc *ast.CommentGroup) (directive string, arguments []string) {
	if doc == nil {
		return "", nil
	}
	for _, c := range doc.List {
		words := strings.Fields(c.Text)
		if len(words) > 0 && slices.Contains(directives, words[0]) {
			return words[0], words[1:]
		}
	}
	return "", nil
}

// receiver returns "X." for a method of X or *X, and "" for a function.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	return strings.TrimPrefix(types.ExprString(f.Recv.List[0].Type), "*") + "."
}
