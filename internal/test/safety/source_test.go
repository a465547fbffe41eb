package safety_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"
)

// constantTime are the functions that compare secrets with what peers send. No test can
// measure reliably that the time does not depend on the secret, so this one reads the source.
var constantTime = []struct{ file, function, with string }{
	{"internal/udp/token.go", "ValidAs", "subtle.ConstantTimeEq"},
	{"gamespy2/gamespy2net/registrarchallenge.go", "compare", "subtle.ConstantTimeCompare"},
	{"gameagent/gamespy1/gamespy1net/registrargamespy.go", "isValid", "subtle.ConstantTimeCompare"},
	{"gameagent/gamespy1/gamespy1net/listconn.go", "validate", "subtle.ConstantTimeCompare"},
	{"warzone/wzproposal/proposalnet/ids.go", "find", "hmac.Equal"},
	{"warzone/wzhttp/wzhttpnet/tokens.go", "isHost", "hmac.Equal"},
	{"warzone/wzhttp/wzhttpnet/tokens.go", "isJoin", "hmac.Equal"},
	{"warzone/wzhttp/wzhttpnet/host_alive.go", "", "subtle.ConstantTimeCompare"},
	{"examples/lobbyd/admin.go", "onlyOperators", "subtle.ConstantTimeCompare"},
}

// Functions that compare secrets call a comparison in constant time.
func TestSecretsAreComparedInConstantTime(t *testing.T) {
	for _, tt := range constantTime {
		found := false
		for _, d := range parsed(t, tt.file).Decls {
			if d, ok := d.(*ast.FuncDecl); ok && (tt.function == "" || d.Name.Name == tt.function) {
				found = found || calls(d, tt.with)
			}
		}
		if !found {
			t.Errorf("%s: %s does not use %s", tt.file, tt.function, tt.with)
		}
	}
}

// parsed returns the source of a file of the repository.
func parsed(t *testing.T, name string) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", "..", name), nil, parser.SkipObjectResolution)
	must(t, err)
	return f
}

// calls reports whether a function calls another one of a package, such as hmac.Equal.
func calls(d *ast.FuncDecl, name string) (found bool) {
	ast.Inspect(d, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			found = found || calledBy(call) == name
		}
		return !found
	})
	return found
}

// calledBy returns the name of the function that a call calls, with its package, or "".
func calledBy(call *ast.CallExpr) string {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	of, ok := f.X.(*ast.Ident)
	if !ok {
		return ""
	}
	return of.Name + "." + f.Sel.Name
}
