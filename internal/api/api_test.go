package api_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const root = "../.."

// packages returns the folders of the packages whose API is promised.
func packages(t *testing.T) (dirs []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		name := d.Name()
		if name == "internal" || name == "testdata" || name == "examples" || strings.HasPrefix(name, ".") && path != root {
			return fs.SkipDir
		}
		if proposal := name == "wzproposal" || name == "wzjson"; proposal {
			return fs.SkipDir
		}
		if _, err := build.ImportDir(path, 0); err == nil {
			dir, err := filepath.Rel(root, path)
			dirs = append(dirs, dir)
			return err
		}
		return nil
	})
	if err != nil || len(dirs) == 0 {
		t.Fatalf("%d packages, error %v", len(dirs), err)
	}
	return dirs
}

// fileOf returns the name of the list of a package.
func fileOf(dir string) string {
	if dir == "." {
		return "lobbywire.txt"
	}
	return strings.ReplaceAll(filepath.ToSlash(dir), "/", ".") + ".txt"
}

// Values of types that are integers print themselves.
func TestEnumsHaveAString(t *testing.T) {
	for _, dir := range packages(t) {
		all := strings.Split(list(t, dir), "\n")
		for _, line := range all {
			words := strings.Fields(line)
			isEnum := len(words) == 3 && words[0] == "type" && strings.Contains(words[2], "int") && words[2] != "interface"
			if isEnum && !slices.Contains(all, "method ("+words[1]+") String() string") {
				t.Errorf("%s: %s has no String", dir, words[1])
			}
		}
	}
}

// What is written can be read: a type with MarshalX has UnmarshalX, and the reverse.
func TestMarshalersAreUnmarshalers(t *testing.T) {
	for _, dir := range packages(t) {
		methods := map[string]bool{} // such as "Entry UnmarshalBinary"
		for line := range strings.Lines(list(t, dir)) {
			words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" (*)[", r) })
			if words[0] == "method" {
				methods[words[1]+" "+words[2]] = true
			}
		}
		for method := range methods {
			typ, name, _ := strings.Cut(method, " ")
			twin := typ + " Unm" + strings.TrimPrefix(name, "M")
			if form, ok := strings.CutPrefix(name, "Unmarshal"); ok {
				twin = typ + " Marshal" + form
			}
			if strings.Contains(name, "arshal") && !methods[twin] {
				t.Errorf("%s: %s without %s", dir, method, twin)
			}
		}
	}
}

// Every exported name is in the lists, and nothing else is.
func TestListsHaveAllExportedNames(t *testing.T) {
	update := os.Getenv("UPDATE_GOLDEN") != ""
	var want []string
	for _, dir := range packages(t) {
		name := fileOf(dir)
		want = append(want, name)
		got := list(t, dir)
		if update {
			if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		stored, err := os.ReadFile(name)
		if diff := cmp.Diff(string(stored), got); diff != "" || err != nil {
			t.Errorf("%s: error %v; name the change in CHANGELOG.md, and UPDATE_GOLDEN=1 go test ./internal/api "+
				"writes it (-list +code):\n%s", name, err, diff)
		}
	}
	files, err := filepath.Glob("*.txt")
	slices.Sort(want)
	if diff := cmp.Diff(want, files); diff != "" || err != nil {
		t.Errorf("error %v, lists (-packages +files):\n%s", err, diff)
	}
}

// list returns the lines of a package.
func list(t *testing.T, dir string) string {
	t.Helper()
	p, err := build.ImportDir(filepath.Join(root, dir), 0)
	if err != nil {
		t.Fatal(err)
	}
	l := lister{fset: token.NewFileSet()}
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(l.fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			l.declaration(d)
		}
	}
	slices.Sort(l.lines)
	return strings.Join(l.lines, "\n") + "\n"
}

// A lister collects the lines of a package.
type lister struct {
	fset  *token.FileSet
	lines []string
}

func (l *lister) add(format string, args ...any) {
	l.lines = append(l.lines, fmt.Sprintf(format, args...))
}

func (l *lister) declaration(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		l.function(d)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					if name.IsExported() {
						l.add("%s %s", d.Tok, name.Name)
					}
				}
			case *ast.TypeSpec:
				if spec.Name.IsExported() {
					l.typ(spec)
				}
			}
		}
	}
}

// function adds a function, or a method of an exported type.
func (l *lister) function(d *ast.FuncDecl) {
	if !d.Name.IsExported() {
		return
	}
	signature := strings.TrimPrefix(l.text(d.Type), "func")
	if d.Recv == nil {
		l.add("func %s%s", d.Name.Name, signature)
		return
	}
	receiver := l.text(d.Recv.List[0].Type)
	if base, _, _ := strings.Cut(strings.TrimPrefix(receiver, "*"), "["); ast.IsExported(base) {
		l.add("method (%s) %s%s", receiver, d.Name.Name, signature)
	}
}

// typ adds a type, its exported fields, or the methods of an interface.
func (l *lister) typ(spec *ast.TypeSpec) {
	name, equals := spec.Name.Name, ""
	if spec.Assign.IsValid() {
		equals = "= "
	}
	switch typ := spec.Type.(type) {
	case *ast.StructType:
		l.add("type %s struct", name)
		l.members("field", name, typ.Fields)
	case *ast.InterfaceType:
		l.add("type %s interface", name)
		l.members("interface", name, typ.Methods)
	default:
		l.add("type %s %s%s", name, equals, l.text(typ))
	}
}

func (l *lister) members(kind, of string, fields *ast.FieldList) {
	for _, f := range fields.List {
		typ := l.text(f.Type)
		if len(f.Names) == 0 { // embedded
			_, base, qualified := strings.Cut(strings.TrimPrefix(typ, "*"), ".")
			if !qualified {
				base = strings.TrimPrefix(typ, "*")
			}
			if ast.IsExported(base) {
				l.add("%s %s embeds %s", kind, of, typ)
			}
		}
		for _, name := range f.Names {
			switch {
			case name.IsExported() && kind == "interface":
				l.add("%s %s.%s%s", kind, of, name.Name, strings.TrimPrefix(typ, "func"))
			case name.IsExported():
				l.add("%s %s.%s %s", kind, of, name.Name, typ)
			case kind == "interface":
				l.add("%s %s is sealed", kind, of)
			}
		}
	}
}

// text prints a node on one line.
func (l *lister) text(node any) string {
	var b bytes.Buffer
	_ = printer.Fprint(&b, l.fset, node) // to memory
	return strings.Join(strings.Fields(b.String()), " ")
}
