package lobbywire_test

import (
	"go/ast"
	"go/printer"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// helpers returns the folders of the packages that own sockets: their names end
// in net.
func helpers(t *testing.T) []string {
	t.Helper()
	var dirs []string
	for _, pattern := range []string{"*/*net/doc.go", "*/*/*net/doc.go"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range paths {
			if dir := filepath.ToSlash(filepath.Dir(p)); !strings.HasPrefix(dir, "internal/") {
				dirs = append(dirs, dir)
			}
		}
	}
	if len(dirs) < 5 {
		t.Fatalf("only %d helpers: %q", len(dirs), dirs)
	}
	return dirs
}

// A helperType is an exported type of a helper.
type helperType struct {
	name    string            // as "sqpnet.Server"
	fields  map[string]string // types by name; an embedded one by its own
	methods map[string]string // signatures by name, without names of parameters
}

// has reports whether the type has a method, whatever its signature.
func (h helperType) has(method string) bool { return h.methods[method] != "" }

// helperTypes returns the exported types of all helpers.
func helperTypes(t *testing.T) map[string]helperType {
	t.Helper()
	types := map[string]helperType{}
	for _, dir := range helpers(t) {
		s, pkg := load(t, dir), filepath.Base(dir)
		for _, f := range s.files {
			for _, d := range f.Decls {
				g, ok := d.(*ast.GenDecl)
				if !ok || g.Tok != token.TYPE {
					continue
				}
				for _, spec := range g.Specs {
					spec := spec.(*ast.TypeSpec)
					h := helperType{name: pkg + "." + spec.Name.Name, methods: map[string]string{},
						fields: map[string]string{}}
					if st, ok := spec.Type.(*ast.StructType); ok {
						h.fields = fieldsOf(st)
					}
					types[h.name] = h
				}
			}
		}
		for name, fn := range s.functions {
			typ, method, ok := strings.Cut(name, ".")
			if h, known := types[pkg+"."+typ]; ok && known && ast.IsExported(method) {
				h.methods[method] = signature(fn.Type)
			}
		}
	}
	for _, h := range types {
		h.promote(types)
	}
	maps.DeleteFunc(types, func(name string, _ helperType) bool {
		_, name, _ = strings.Cut(name, ".")
		return !ast.IsExported(name)
	})
	return types
}

// promote adds the methods of the unexported types that h embeds, which documentation
// shows as those of h.
func (h helperType) promote(types map[string]helperType) {
	pkg, _, _ := strings.Cut(h.name, ".")
	for field, typ := range h.fields {
		name, _, _ := strings.Cut(typ, "[")
		embedded, ok := types[pkg+"."+name]
		if field != typ || !ok || ast.IsExported(name) {
			continue
		}
		embedded.promote(types)
		for method, signature := range embedded.methods {
			if !h.has(method) {
				h.methods[method] = signature
			}
		}
	}
}

func fieldsOf(st *ast.StructType) map[string]string {
	fields := map[string]string{}
	for _, f := range st.Fields.List {
		typ := text(f.Type)
		if len(f.Names) == 0 {
			fields[typ] = typ
		}
		for _, id := range f.Names {
			fields[id.Name] = typ
		}
	}
	return fields
}

// signature returns a function's type without the names of its parameters, as
// "(context.Context) error".
func signature(fn *ast.FuncType) string {
	list := func(fields *ast.FieldList) string {
		var types []string
		if fields != nil {
			for _, f := range fields.List {
				for range max(len(f.Names), 1) {
					types = append(types, text(f.Type))
				}
			}
		}
		return strings.Join(types, ", ")
	}
	results := list(fn.Results)
	if fn.Results.NumFields() > 1 {
		results = "(" + results + ")"
	}
	return strings.TrimSpace("(" + list(fn.Params) + ") " + results)
}

// text returns an expression as it is written.
func text(e ast.Expr) string {
	var b strings.Builder
	if err := printer.Fprint(&b, token.NewFileSet(), e); err != nil {
		return "?"
	}
	return b.String()
}

// want compares a signature, unless the type lacks the method.
func (h helperType) want(t *testing.T, method, want string) {
	t.Helper()
	if got := h.methods[method]; got != want {
		t.Errorf("%s.%s is %q, want %q", h.name, method, got, want)
	}
}

// wantField compares the type of a field.
func (h helperType) wantField(t *testing.T, field, want string) {
	t.Helper()
	if got := h.fields[field]; got != want {
		t.Errorf("%s.%s is %q, want %q", h.name, field, got, want)
	}
}

// setView is the signature of SetView, which never fails, of everything that has Set.
const setView = "(lobbywire.View) []string"

// What answers has Respond of one shape; what serves has limits, a logger and an
// end.
func TestServersHaveTheSameMethods(t *testing.T) {
	types := helperTypes(t)
	found := 0
	for _, h := range types {
		if h.has("Respond") {
			h.want(t, "Respond", "(netip.AddrPort, []byte, [][]byte) ([][]byte, bool)")
			if h.has("Set") {
				h.want(t, "SetView", setView)
			}
		}
		if !h.has("Serve") {
			continue
		}
		found++
		over := "(net.Listener) error"
		shared := "lobbywire.ConnLimits"
		if h.has("Respond") {
			over, shared = "(net.PacketConn) error", "lobbywire.Rates"
			if h.fields["Other"] == "" {
				t.Errorf("%s has no Other", h.name)
			}
		}
		h.want(t, "Serve", over)
		h.want(t, "Shutdown", "(context.Context) error")
		h.want(t, "Close", "() error")
		if !h.has("Stats") {
			t.Errorf("%s has no Stats", h.name)
		}
		h.wantField(t, "Logger", "*slog.Logger")
		pkg, name, _ := strings.Cut(h.name, ".")
		if h.fields["Limits"] == shared {
			continue
		}
		h.wantField(t, "Limits", name+"Limits")
		limits := types[pkg+"."+name+"Limits"]
		limits.wantField(t, shared, shared)
	}
	if found < 6 {
		t.Errorf("%d servers found", found)
	}
}

// What keeps a game listed has an address and a state, and runs until its end.
func TestRunnersHaveTheSameMethods(t *testing.T) {
	found := 0
	for _, h := range helperTypes(t) {
		if !h.has("Run") {
			continue
		}
		found++
		h.want(t, "Run", "(context.Context) error")
		h.want(t, "Close", "() error")
		h.wantField(t, "Addr", "string")
		if !h.has("Stats") {
			t.Errorf("%s has no Stats", h.name)
		}
		if h.has("SetView") {
			h.want(t, "SetView", setView)
		}
		if set := h.methods["Set"]; !strings.HasSuffix(set, ") error") || strings.Contains(set, ",") {
			t.Errorf("%s.Set is %q, want one argument and an error", h.name, set)
		}
	}
	if found < 3 {
		t.Errorf("%d runners found", found)
	}
}

// Stats returns a type named like its owner, or like several owners by the end of
// their names, or a type of package lobbywire.
func TestStatsTypesAreNamedAlike(t *testing.T) {
	for _, h := range helperTypes(t) {
		if !h.has("Stats") {
			continue
		}
		got, ok := strings.CutPrefix(h.methods["Stats"], "() ")
		isOwn := strings.HasSuffix(h.name+"Stats", got) && got != "Stats"
		if !ok || !isOwn && got != "lobbywire.ServerStats" && got != "lobbywire.ConnStats" {
			t.Errorf("%s.Stats is %q", h.name, h.methods["Stats"])
		}
	}
}

// Clients have the same settings for the same purpose, and Scan yields results of
// one form.
func TestClientsHaveTheSameSettings(t *testing.T) {
	types := helperTypes(t)
	found := 0
	for _, h := range types {
		if !strings.HasSuffix(h.name, "Client") {
			continue
		}
		found++
		pkg, name, _ := strings.Cut(h.name, ".")
		h.wantField(t, "Timeout", "time.Duration")
		if options, ok := h.fields["Options"]; ok && options != strings.TrimSuffix(pkg, "net")+".Options" {
			t.Errorf("%s.Options is %s, want the type of the codec", h.name, options)
		}
		for _, option := range []string{"MaxGames", "Strict", "Text"} {
			if _, ok := h.fields[option]; ok {
				t.Errorf("%s.%s is one of the options for decoding", h.name, option)
			}
		}
		h.wantField(t, "Dial", "func(ctx context.Context, network, addr string) (net.Conn, error)")
		if h.has("List") {
			if name == "Client" {
				h.want(t, "ListViews", "(context.Context, string) lobbywire.ListResult")
			}
			listing := strings.TrimSuffix(name, "Client") + "Listing"
			if list := h.methods["List"]; !strings.HasPrefix(list, "(context.Context, string") ||
				!strings.HasSuffix(list, ") ("+listing+", error)") {
				t.Errorf("%s.List is %q", h.name, list)
			}
			h.wantField(t, "ListEvery", "time.Duration")
		}
		if !h.has("Scan") {
			continue
		}
		h.wantField(t, "Attempts", "int")
		h.wantField(t, "Listen", "func(ctx context.Context) (net.PacketConn, error)")
		scan := h.methods["Scan"]
		if !strings.HasPrefix(scan, "(context.Context, iter.Seq[netip.AddrPort]") ||
			!strings.Contains(scan, ") iter.Seq2[netip.AddrPort, Result") {
			t.Errorf("%s.Scan is %q", h.name, scan)
		}
		h.want(t, "ScanViews", "(context.Context, iter.Seq[netip.AddrPort]) iter.Seq[lobbywire.ScanResult]")
		result := types[pkg+".Result"]
		result.wantField(t, "Err", "error")
		if result.fields["Answer"] == "" && result.fields["Answer[M]"] == "" || len(result.fields) != 2 {
			t.Errorf("%s has fields %v, want an Answer and Err", result.name, result.fields)
		}
	}
	if found < 5 {
		t.Errorf("%d clients found", found)
	}
}

// The servers of every listing have the form that all protocols share.
func TestListingsHaveViews(t *testing.T) {
	found := 0
	for _, h := range helperTypes(t) {
		if strings.HasSuffix(h.name, "Listing") {
			found++
			h.want(t, "Views", "() []lobbywire.View")
		}
	}
	if found < 5 {
		t.Errorf("%d listings found", found)
	}
}

// A helper has no constructors, and shares the errors of the root package.
func TestHelpersHaveNoConstructors(t *testing.T) {
	for _, dir := range helpers(t) {
		s := load(t, dir)
		for name, fn := range s.functions {
			if fn.Recv == nil && strings.HasPrefix(name, "New") {
				t.Errorf("%s.%s: helpers are structs with fields", dir, name)
			}
		}
		for name, f := range s.files {
			for _, id := range variables(f) {
				if slices.Contains([]string{"ErrTimeout", "ErrLost", "ErrClosed"}, id) ||
					strings.HasSuffix(id, "Closed") && ast.IsExported(id) {
					t.Errorf("%s/%s: %s is one of package lobbywire", dir, name, id)
				}
			}
		}
	}
}

// variables returns the names of the package variables that a file declares.
func variables(f *ast.File) (names []string) {
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
			for _, spec := range g.Specs {
				for _, id := range spec.(*ast.ValueSpec).Names {
					names = append(names, id.Name)
				}
			}
		}
	}
	return names
}
