package lobbywire_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A source is what a codec package declares.
type source struct {
	files     map[string]*ast.File     // by name, without tests
	tests     map[string]bool          // by name
	functions map[string]*ast.FuncDecl // of files: ParseX, or X.AppendBinary
	fuzz      map[string]bool          // X of FuzzX
}

// sources are those that load has returned.
var sources = map[string]source{}

func load(t *testing.T, dir string) source {
	t.Helper()
	if s, ok := sources[dir]; ok {
		return s
	}
	s := source{
		files: map[string]*ast.File{}, tests: map[string]bool{},
		functions: map[string]*ast.FuncDecl{}, fuzz: map[string]bool{},
	}
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(p, "_test.go") {
			s.tests[filepath.Base(p)] = true
			for _, m := range fuzzTarget.FindAllSubmatch(text, -1) {
				s.fuzz[string(m[1])] = true
			}
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), p, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		s.files[filepath.Base(p)] = f
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				s.functions[receiver(fn)+fn.Name.Name] = fn
			}
		}
	}
	sources[dir] = s
	return s
}

// receiver returns "X." for a method of X, *X or a generic X, "" for a function.
func receiver(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return ""
	}
	typ := fn.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	switch generic := typ.(type) {
	case *ast.IndexExpr:
		typ = generic.X
	case *ast.IndexListExpr:
		typ = generic.X
	}
	return typ.(*ast.Ident).Name + "."
}

// Every codec package has the same files.
func TestCodecsHaveTheSameFiles(t *testing.T) {
	for _, dir := range codecs() {
		s := load(t, dir)
		for _, name := range []string{"doc.go", "limits.go"} {
			if s.files[name] == nil {
				t.Errorf("%s has no %s", dir, name)
			}
		}
		for _, name := range []string{"prop_test.go", "fuzz_test.go", "bench_test.go", "example_test.go"} {
			if !s.tests[name] {
				t.Errorf("%s has no %s", dir, name)
			}
		}
		if f := s.files["doc.go"]; f != nil {
			for _, section := range []string{"Flow", "Wire format", "Sources", "Strictness", "Limits", "Quirks"} {
				if !strings.Contains(f.Doc.Text(), "# "+section+"\n") {
					t.Errorf("%s: doc.go has no section %s", dir, section)
				}
			}
		}
	}
}

// What a ParseX reads is explained by Explain or an ExplainX; it has a FuzzX,
// takes b, and returns a value or an error; the value, unless it is one of several messages, can be
// appended.
func TestMessagesHaveTheSameFunctions(t *testing.T) {
	for _, dir := range codecs() {
		s := load(t, dir)
		found := false
		for name, fn := range s.functions {
			x, ok := strings.CutPrefix(name, "Parse")
			if !ok || fn.Recv != nil || !fn.Name.IsExported() {
				continue
			}
			found = true
			if s.functions["Explain"+x] == nil && (s.functions["Explain"] == nil || isInterface(s, x)) {
				t.Errorf("%s: nothing explains what Parse%s reads", dir, x)
			}
			if !s.fuzz[x] {
				t.Errorf("%s: Parse%s without Fuzz%s", dir, x, x)
			}
			results := fn.Type.Results.List
			if len(results) != 2 || typeName(results[1].Type) != "error" ||
				typeName(fn.Type.Params.List[0].Type) != "[]byte" {
				t.Errorf("%s: Parse%s does not take []byte and return a value and an error", dir, x)
				continue
			}
			typ := typeName(results[0].Type)
			if isInterface(s, typ) {
				continue
			}
			if s.functions[typ+".AppendBinary"] == nil {
				t.Errorf("%s: Parse%s returns %s, which has no AppendBinary", dir, x, typ)
			}
		}
		if !found {
			t.Errorf("%s: no Parse function", dir)
		}
		for name := range s.functions {
			if x, ok := strings.CutPrefix(name, "Explain"); ok && x != "" && x != "With" &&
				s.functions["Parse"+x] == nil {
				t.Errorf("%s: Explain%s without Parse%s", dir, x, x)
			}
		}
	}
}

// typeName returns the text of a simple type expression.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.ArrayType:
		return "[]" + typeName(e.Elt)
	}
	return "?"
}

// isInterface reports whether the package declares the type name as an interface.
func isInterface(s source, name string) bool {
	found := false
	for _, f := range s.files {
		ast.Inspect(f, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.Name == name {
				_, found = spec.Type.(*ast.InterfaceType)
			}
			return !found
		})
	}
	return found
}

// Options.ParseX exists if the Options change how X is decoded. The generator writes it unless
// decode has no name for them, so a decode that names them uses them.
func TestOptionsAreUsed(t *testing.T) {
	found := 0
	for _, dir := range codecs() {
		functions := load(t, dir).functions
		for name := range functions {
			message, isParse := strings.CutPrefix(name, "Options.Parse")
			decode := functions[message+".decode"]
			if !isParse || decode == nil {
				continue
			}
			found++
			options := decode.Type.Params.List[1].Names[0].Name
			used := false
			ast.Inspect(decode.Body, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				used = used || ok && id.Name == options
				return true
			})
			if !used {
				t.Errorf("%s: Options.Parse%s ignores its Options", dir, message)
			}
		}
	}
	if found < 60 {
		t.Errorf("%d messages with Options found", found)
	}
}

// A message or list entry with the number of places for players describes a
// server, so it has a View, unless another one does for it.
func TestDescriptionsOfServersHaveViews(t *testing.T) {
	others := []string{
		"sqp.ServerInfo",           // QueryResponse
		"bomberman.PlayerCount",    // Server
		"bomberman.ConfigureArena", // of a round, which only its players see
		"wzjson.Fields",            // changes of a Game
		"wzhttp.Seats",             // Room
	}
	found := 0
	for _, dir := range codecs() {
		s := load(t, dir)
		for _, f := range s.files {
			for _, d := range f.Decls {
				g, ok := d.(*ast.GenDecl)
				if !ok || g.Tok != token.TYPE {
					continue
				}
				for _, spec := range g.Specs {
					spec := spec.(*ast.TypeSpec)
					name := filepath.Base(dir) + "." + spec.Name.Name
					if !hasPlaces(spec) || slices.Contains(others, name) {
						continue
					}
					found++
					fn := s.functions[spec.Name.Name+".View"]
					if fn == nil || signature(fn.Type) != "() lobbywire.View" {
						t.Errorf("%s has no View() lobbywire.View", name)
					}
				}
			}
		}
	}
	if found < 12 {
		t.Errorf("%d types with places for players found", found)
	}
}

// hasPlaces reports whether a struct has the number of places for players.
func hasPlaces(spec *ast.TypeSpec) bool {
	st, ok := spec.Type.(*ast.StructType)
	if !ok || !spec.Name.IsExported() {
		return false
	}
	fields := fieldsOf(st)
	return fields["MaxPlayers"] != "" || fields["Max"] != "" || fields["Players"] == "PlayerCount"
}

// A codec frames, joins and limits by the same names as the others.
func TestCodecsUseTheSameNames(t *testing.T) {
	banned := []string{"Decode", "Encode", "Unmarshal", "Marshal", "Unpack", "Pack", "Read", "Write", "FromBytes",
		"ToBytes"}
	standard := []string{"MarshalBinary", "UnmarshalBinary", "MarshalText", "UnmarshalText", "MarshalJSON",
		"UnmarshalJSON"}
	for _, dir := range codecs() {
		for name, fn := range load(t, dir).functions {
			if !fn.Name.IsExported() || slices.Contains(standard, fn.Name.Name) {
				continue
			}
			for _, verb := range banned {
				rest, ok := strings.CutPrefix(fn.Name.Name, verb)
				if ok && (rest == "" || rest[0] < 'a') {
					t.Errorf("%s.%s: the library says Parse and Append", dir, name)
				}
			}
		}
		s := load(t, dir)
		if (s.functions["NextFrame"] != nil || s.functions["Framer.Next"] != nil) && !s.fuzz["Frames"] {
			t.Errorf("%s: frames without FuzzFrames", dir)
		}
		if s.functions["Assembler.Add"] != nil && !s.fuzz["Assembler"] {
			t.Errorf("%s: Assembler without FuzzAssembler", dir)
		}
	}
}

// A codec starts no goroutine, reads no clock or randomness, recovers from
// nothing and holds no state: package variables are errors or constant tables.
func TestCodecsAreStateless(t *testing.T) {
	for _, dir := range append(codecs(), "internal/wire", "internal/wire/wirejson", pairs) {
		for name, f := range load(t, dir).files {
			where := filepath.Join(dir, name)
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.GoStmt:
					t.Errorf("%s starts a goroutine", where)
				case *ast.SelectorExpr:
					if !isPure(n) {
						t.Errorf("%s uses %s.%s", where, typeName(n.X), n.Sel.Name)
					}
				case *ast.CallExpr:
					if id, ok := n.Fun.(*ast.Ident); ok && (id.Name == "recover" || id.Name == "panic") {
						t.Errorf("%s calls %s", where, id.Name)
					}
				}
				return true
			})
			for _, d := range f.Decls {
				if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
					for _, spec := range g.Specs {
						checkVariable(t, where, f, spec.(*ast.ValueSpec))
					}
				}
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
					t.Errorf("%s has an init function", where)
				}
			}
		}
	}
}

// isPure reports whether a codec may use a name of a package that also has a clock or
// randomness.
func isPure(n *ast.SelectorExpr) bool {
	switch typeName(n.X) {
	case "time":
		return slices.Contains([]string{"Duration", "Millisecond", "Second", "Minute", "Hour"}, n.Sel.Name)
	}
	return true
}

// checkVariable allows errors, assertions of interfaces, and unexported arrays
// that nothing in the file assigns to.
func checkVariable(t *testing.T, where string, f *ast.File, spec *ast.ValueSpec) {
	t.Helper()
	for i, id := range spec.Names {
		if id.Name == "_" || strings.HasPrefix(id.Name, "Err") {
			continue
		}
		lit, ok := spec.Values[min(i, len(spec.Values)-1)].(*ast.CompositeLit)
		if ok {
			array, isArray := lit.Type.(*ast.ArrayType)
			ok = isArray && array.Len != nil
		}
		if !ok || id.IsExported() {
			t.Errorf("%s: variable %s is neither an error nor a constant table", where, id.Name)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if a, ok := n.(*ast.AssignStmt); ok {
				for _, l := range a.Lhs {
					if ix, ok := l.(*ast.IndexExpr); ok && typeName(ix.X) == id.Name {
						t.Errorf("%s: table %s is assigned to", where, id.Name)
					}
				}
			}
			return true
		})
	}
}

// Errors of a codec give a reason: it names the kinds that need one only to test
// for them, and fails with Refuse and Exceed, or the types Invalid, TooLarge and
// Unsupported of internal/wire.
func TestErrorsGiveReasons(t *testing.T) {
	needReason := []string{"ErrInvalid", "ErrTooLarge", "ErrUnsupported"}
	for _, dir := range codecs() {
		for name, f := range load(t, dir).files {
			ast.Inspect(f, func(n ast.Node) bool {
				if c, ok := n.(*ast.CallExpr); ok {
					is, ok := c.Fun.(*ast.SelectorExpr)
					return !ok || is.Sel.Name != "Is"
				}
				if kind, ok := n.(*ast.SelectorExpr); ok && slices.Contains(needReason, kind.Sel.Name) {
					t.Errorf("%s/%s: %s without a reason", dir, name, kind.Sel.Name)
				}
				return true
			})
		}
	}
}

// The top level is fixed.
func TestTopLevelIsFixed(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"bomberman", "examples", "gameagent", "gamespy2", "internal", "sqp", "warzone"}
	var got []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			got = append(got, e.Name())
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("folders %v, want %v", got, want)
	}
}

func TestExportedNamesAreDocumented(t *testing.T) {
	for _, dir := range append(codecs(), ".") {
		for name, f := range load(t, dir).files {
			for _, d := range f.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					if d.Name.IsExported() && d.Doc == nil && ast.IsExported(strings.TrimSuffix(receiver(d), ".")+"X") {
						t.Errorf("%s/%s: %s%s has no comment", dir, name, receiver(d), d.Name.Name)
					}
				case *ast.GenDecl:
					checkDocumented(t, filepath.Join(dir, name), d)
				}
			}
		}
	}
}

// checkDocumented tests that each exported name or its group has a comment.
func checkDocumented(t *testing.T, where string, d *ast.GenDecl) {
	t.Helper()
	for _, spec := range d.Specs {
		var names []*ast.Ident
		doc := d.Doc
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			names = []*ast.Ident{spec.Name}
			if spec.Doc != nil {
				doc = spec.Doc
			}
		case *ast.ValueSpec:
			names = spec.Names
			if spec.Doc != nil {
				doc = spec.Doc
			}
			if spec.Comment != nil {
				doc = spec.Comment
			}
		}
		for _, id := range names {
			if id.IsExported() && doc == nil {
				t.Errorf("%s: %s has no comment", where, id.Name)
			}
		}
	}
}

// Every vector stands beside its decoded form.
func TestGoldenFilesHaveDecodedForms(t *testing.T) {
	for _, dir := range codecs() {
		n := 0
		err := filepath.WalkDir(filepath.Join(dir, "testdata", "golden"),
			func(p string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				if stem, ok := strings.CutSuffix(p, ".hex"); ok {
					n++
					if _, err := os.Stat(stem + ".json"); err != nil {
						t.Errorf("%s has no .json", p)
					}
				}
				return nil
			})
		if err != nil || n == 0 {
			t.Errorf("%s: %d golden files, error %v", dir, n, err)
		}
	}
}
