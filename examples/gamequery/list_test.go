package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// decode -list prints every message that a package can parse, with a description.
func TestListIsComplete(t *testing.T) {
	t.Parallel()
	_, list, _ := gamequery(nil, "decode", "-list")
	listed := map[string]bool{}
	for line := range strings.Lines(list) {
		name, doc, _ := strings.Cut(strings.TrimSpace(line), " ")
		if listed[name] || strings.TrimSpace(doc) == "" {
			t.Errorf("%q is listed twice or without description", line)
		}
		listed[name] = true
	}
	for pkg, dir := range packages() {
		for _, message := range parsed(t, dir) {
			if name := pkg + "." + message; !listed[name] {
				t.Errorf("%s is not listed", name)
			}
		}
	}
}

// parsed returns the name X of each function ParseX of the package in dir.
func parsed(t *testing.T, dir string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var messages []string
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil {
				if message, ok := strings.CutPrefix(f.Name.Name, "Parse"); ok {
					messages = append(messages, message)
				}
			}
		}
	}
	return messages
}
