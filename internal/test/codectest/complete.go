package codectest

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/golden"
)

// A Tested is a message of a package.
type Tested struct {
	Message string
	Codec   interface {
		Law(f golden.File) Law
		RandomValues(t *testing.T)
	} // nil if its parser needs more than bytes
	Union   bool // is one of other messages, and has no golden files
	Refused bool // has a table of refusals, since there are values that cannot be encoded
}

// LawOf returns the law of a golden file, nil if its message is not one of all.
func LawOf(all []Tested, f golden.File) Law {
	for _, m := range all {
		if m.Message == f.Message() && m.Codec != nil && !m.Union {
			return m.Codec.Law(f)
		}
	}
	return nil
}

// RandomValues tests values of all messages.
func RandomValues(t *testing.T, all []Tested) {
	for _, m := range all {
		if m.Codec != nil {
			t.Run(m.Message, m.Codec.RandomValues)
		}
	}
}

// Complete tests that each message has a valid and an invalid golden file, and a table of
// refusals.
func Complete(t *testing.T, all []Tested) {
	if golden.Updates() {
		t.Skip("the .json of golden files are being written")
	}
	valid, invalid := make(map[string]bool), make(map[string]bool)
	for _, f := range golden.Load(t) {
		if isError(t, f) {
			invalid[f.Message()] = true
		} else {
			valid[f.Message()] = true
		}
	}
	refused := refusedTypes(t)
	for _, p := range all {
		if p.Union {
			continue
		}
		if !valid[p.Message] {
			t.Errorf("%s has no valid golden file: write testdata/golden/NAME.hex, see internal/doc.go", p.Message)
		}
		if !invalid[p.Message] {
			t.Errorf("%s has no invalid golden file: write testdata/golden/NAME.hex with a message that is refused",
				p.Message)
		}
		if p.Refused && !refused[p.Message] {
			t.Errorf("%s has no table of refusals: call codectest.Refusals with values that cannot be encoded",
				p.Message)
		}
	}
}

// isError reports whether the .json of a golden file holds an error.
func isError(t *testing.T, f golden.File) bool {
	text, err := os.ReadFile(filepath.Join("testdata", "golden", f.Name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil {
		return false
	}
	return len(members) == 3 && members["error"] != nil && members["field"] != nil && members["offset"] != nil
}

// refusedTypes returns the names of the types whose values are in tables of refusals: in
// the functions of the package's tests that use Refusal, or call such a function.
func refusedTypes(t *testing.T) map[string]bool {
	paths, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	functions := make(map[string]map[string]bool) // names that a function uses
	for _, path := range paths {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				functions[d.Name.Name] = namesIn(d)
			}
		}
	}
	tables := map[string]bool{"codectest.Refusal": true}
	types := make(map[string]bool)
	for found := true; found; {
		found = false
		for name, uses := range functions {
			if tables[name] || !intersect(uses, tables) {
				continue
			}
			tables[name] = true
			found = true
			for use := range uses {
				_, typ, _ := strings.Cut(use, ".")
				types[typ] = true
			}
		}
	}
	return types
}

// namesIn returns the names that f uses, as "name" or "package.Name".
func namesIn(f *ast.FuncDecl) map[string]bool {
	names := make(map[string]bool)
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			names[fmt.Sprint(n.X, ".", n.Sel)] = true
		case *ast.Ident:
			names[n.Name] = true
		}
		return true
	})
	return names
}

// intersect reports whether a and b have an element in common.
func intersect(a, b map[string]bool) bool {
	for x := range a {
		if b[x] {
			return true
		}
	}
	return false
}
