package main

import (
	"cmp"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// A program is the packages of the module whose decoders the dissector has, with types.
type program struct {
	root, module string
	files        *token.FileSet
	packages     map[string]*types.Package // of the module, by import path
	standard     types.Importer
	info         types.Info
	functions    map[*types.Func]*ast.FuncDecl
	values       map[types.Object]ast.Expr // the values of variables of packages
}

func newProgram(root, module string) *program {
	files := token.NewFileSet()
	return &program{
		root: root, module: module, files: files,
		packages: make(map[string]*types.Package),
		standard: importer.ForCompiler(files, "gc", nil),
		info: types.Info{
			Types:      make(map[ast.Expr]types.TypeAndValue),
			Defs:       make(map[*ast.Ident]types.Object),
			Uses:       make(map[*ast.Ident]types.Object),
			Selections: make(map[*ast.SelectorExpr]*types.Selection),
			Implicits:  make(map[ast.Node]types.Object),
		},
		functions: make(map[*types.Func]*ast.FuncDecl),
		values:    make(map[types.Object]ast.Expr),
	}
}

// Import checks a package, which lies in the root or is one of the standard library.
func (g *program) Import(name string) (*types.Package, error) {
	below, ok := strings.CutPrefix(name, g.module)
	if !ok {
		return g.standard.Import(name)
	}
	if p := g.packages[name]; p != nil {
		return p, nil
	}
	paths, err := filepath.Glob(filepath.Join(g.root, filepath.FromSlash(below), "*.go"))
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, file := range paths {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(g.files, file, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	config := types.Config{Importer: g}
	p, err := config.Check(name, g.files, files, &g.info)
	if err != nil {
		return nil, err
	}
	g.packages[name] = p
	for _, f := range files {
		g.addDeclarations(f)
	}
	return p, nil
}

// addDeclarations notes the functions and the variables of a file.
func (g *program) addDeclarations(f *ast.File) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if fn, ok := g.info.Defs[d.Name].(*types.Func); ok {
				g.functions[fn] = d
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				v, ok := spec.(*ast.ValueSpec)
				if !ok || d.Tok != token.VAR || len(v.Values) != len(v.Names) {
					continue
				}
				for i, name := range v.Names {
					g.values[g.info.Defs[name]] = v.Values[i]
				}
			}
		}
	}
}

// named returns the named type of t or of what it points to, or nil.
func named(t types.Type) *types.Named {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, _ := types.Unalias(t).(*types.Named)
	return n
}

// isReader reports whether t is a Reader or a pointer to one.
func isReader(t types.Type) bool { return isOfWire(t, "Reader") }

// isOfWire reports whether t is the type of package wire with this name, or a pointer to one.
func isOfWire(t types.Type, name string) bool {
	n := named(t)
	return n != nil && n.Obj().Name() == name && n.Obj().Pkg() != nil &&
		strings.HasSuffix(n.Obj().Pkg().Path(), "internal/wire")
}

// nameOf returns the name of a function or variable of a package in Lua.
func nameOf(o types.Object) string {
	name := o.Name()
	if fn, ok := o.(*types.Func); ok {
		if recv := fn.Signature().Recv(); recv != nil {
			if n := named(recv.Type()); n != nil {
				name = n.Obj().Name() + "_" + name
			}
		}
	}
	return packageName(o.Pkg()) + "." + word(name)
}

// packageName returns the last part of the path of a package.
func packageName(p *types.Package) string { return path.Base(p.Path()) }

// word returns name, or another one if it is a word of Lua.
func word(name string) string {
	switch name {
	case "and", "do", "elseif", "end", "function", "in", "local", "nil", "not", "or", "repeat", "then", "until",
		"while", "code", "step", "go", "string":
		return name + "_"
	}
	return cmp.Or(name, "_")
}
