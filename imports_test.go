package lobbywire_test

import (
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/lobbywire/lobbywire"

// gameList is the list of games that the lobbies of Warzone 2100 share. It is neither a
// codec nor a helper: it has a clock and a lock, but no sockets.
const gameList = "warzone/warzonegames"

// codecs returns the packages that must stay pure: all below the top level,
// except internal, gameList and the helpers, whose names end in net.
func codecs() []string {
	var dirs []string
	for _, pattern := range []string{"*/doc.go", "*/*/doc.go"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			return nil
		}
		for _, p := range paths {
			dir := filepath.ToSlash(filepath.Dir(p))
			isInternal := slices.Contains(strings.Split(dir, "/"), "internal")
			if !isInternal && dir != gameList && !strings.HasPrefix(dir, "examples/") &&
				!strings.HasSuffix(dir, "net") {
				dirs = append(dirs, dir)
			}
		}
	}
	return dirs
}

// isJSON reports whether a package is for messages in JSON.
func isJSON(path string) bool {
	return slices.Contains([]string{"bomberman", "warzone/wzhttp", "warzone/wzjson", "internal/wire/wirejson"},
		strings.TrimPrefix(path, module+"/"))
}

// allowedImports are what a codec may import itself. One for messages in JSON may import
// encoding/json and internal/wire/wirejson too.
func allowedImports() []string {
	return []string{
		"bytes", "cmp", "encoding", "encoding/binary", "encoding/hex", "errors", "fmt", "iter",
		"maps", "math", "math/bits", "net/netip", "slices", "strconv", "strings", "unicode/utf16", "unicode/utf8",
		"reflect",                           // for the tags of typed forms
		"crypto/ed25519", "encoding/base64", // to sign and verify, with keys of the caller
		"time", // durations only, see TestCodecsAreStateless
		module, module + "/internal/wire",
	}
}

// pairs is what the codecs of the family gameagent share.
const pairs = "gameagent/internal/pairs"

// isFamily reports whether a package is the codec of the family to which the codec
// in the package below it belongs, or what the codecs of the family share.
func isFamily(codec, below string) bool {
	return codec != module && strings.HasPrefix(below, codec+"/") ||
		codec == module+"/"+pairs && strings.HasPrefix(below, module+"/gameagent")
}

// A codec is pure: it imports little, nothing of ours but what is below it and the
// codec of its family, and the network not even indirectly. Nor does one depend on a package
// for JSON, unless its messages are JSON.
func TestCodecsImportNoNetwork(t *testing.T) {
	if len(codecs()) == 0 {
		t.Fatal("no codecs")
	}
	for _, p := range list(t, append(codecs(), "internal/wire", "internal/wire/wirejson", pairs)) {
		allowed := allowedImports()
		if isJSON(p.path) {
			allowed = append(allowed, "encoding/json", module+"/internal/wire/wirejson")
		}
		for _, i := range p.imports {
			if !slices.Contains(allowed, i) && !isFamily(i, p.path) {
				t.Errorf("%s imports %s", p.path, i)
			}
		}
		for _, d := range p.deps {
			forJSON := d == "encoding/json" || isJSON(d)
			if d == "net" || strings.HasPrefix(d, "golang.org/x/") || forJSON && !isJSON(p.path) {
				t.Errorf("%s depends on %s", p.path, d)
			}
		}
	}
}

// A helper that uses TCP only depends on its codecs and on internal packages that
// know nothing of UDP; of the rest, on the standard library alone.
func TestTCPHelpersImportNoUDP(t *testing.T) {
	allowed := []string{
		module,
		module + "/internal/fit",
		module + "/internal/forwarded",
		module + "/internal/lifecycle",
		module + "/internal/limit",
		module + "/internal/listcache",
		module + "/internal/refusals",
		module + "/internal/registry",
		module + "/internal/source",
		module + "/internal/stream",
		module + "/internal/wire",
		module + "/internal/wire/wirejson",
	}
	for _, p := range list(t, []string{
		"bomberman/bombermannet", "warzone/warzonenet", "warzone/wzhttp/wzhttpnet", "warzone/wzproposal/proposalnet",
	}) {
		family := module + "/" + strings.Split(strings.TrimPrefix(p.path, module+"/"), "/")[0]
		for _, d := range p.deps {
			first, _, _ := strings.Cut(d, "/")
			isOurs := d == module || strings.HasPrefix(d, module+"/")
			isOfFamily := d == family || strings.HasPrefix(d, family+"/")
			switch {
			case d == module+"/warzone/wzhttp/wzhttpnet" && d != p.path:
				t.Errorf("%s depends on %s, which speaks to all lobbies", p.path, d)
			case isOurs && !isOfFamily && !slices.Contains(allowed, d):
				t.Errorf("%s depends on %s", p.path, d)
			case !isOurs && strings.Contains(first, "."):
				t.Errorf("%s depends on %s, which is not in the standard library", p.path, d)
			}
		}
	}
}

// Package net/http with crypto/tls makes the smallest program of a helper 6.7 MB large, 3.0 MB
// without. Only the HTTP lobby needs it.
func TestOnlyTheHTTPLobbyImportsHTTP(t *testing.T) {
	for _, p := range list(t, []string{
		"bomberman/bombermannet", "gameagent/gameagentnet", "gameagent/gamespy1/gamespy1net", "gamespy2/gamespy2net",
		"sqp/sqpnet", "warzone/internal/serving", "warzone/warzonenet", "warzone/wzproposal/proposalnet",
	}) {
		for _, d := range p.deps {
			if d == "net/http" || d == "crypto/tls" {
				t.Errorf("%s depends on %s", p.path, d)
			}
		}
	}
}

// The list of games has no sockets, and depends on no lobby.
func TestGameListImportsNoSockets(t *testing.T) {
	for _, p := range list(t, []string{gameList}) {
		for _, d := range p.deps {
			if d == "net" || strings.HasPrefix(d, module+"/") && strings.HasSuffix(d, "net") {
				t.Errorf("%s depends on %s", p.path, d)
			}
		}
	}
}

// The folders of examples that users copy import nothing that is internal, which they could not.
// Our tests of them may, except in fuzzharness, where tests are copied, too.
func TestCopiedFoldersImportNothingInternal(t *testing.T) {
	readme, err := os.ReadFile("examples/README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(readme), "## To copy\n")
	section, _, _ = strings.Cut(section, "\n## ")
	folders := regexp.MustCompile(`(?m)^\| \[([a-z/]+)\]`).FindAllStringSubmatch(section, -1)
	checked := 0
	for _, folder := range folders {
		files, err := filepath.Glob("examples/" + folder[1] + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") && folder[1] != "fuzzharness" {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			checked++
			for _, i := range f.Imports {
				if path := strings.Trim(i.Path.Value, `"`); slices.Contains(strings.Split(path, "/"), "internal") {
					t.Errorf("%s imports %s", name, path)
				}
			}
		}
	}
	if len(folders) < 4 || checked < 20 {
		t.Fatalf("%d files in %q", checked, folders)
	}
}

// A goPackage is what the go command says of a package.
type goPackage struct {
	path          string
	imports, deps []string
}

// list asks the go command about packages, by their folders.
func list(t *testing.T, dirs []string) []goPackage {
	t.Helper()
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("needs the go command")
	}
	args := []string{"list", "-f", `{{.ImportPath}}|{{join .Imports " "}}|{{join .Deps " "}}`}
	for _, dir := range dirs {
		args = append(args, "./"+dir)
	}
	out, err := exec.Command(goTool, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []goPackage
	for line := range strings.Lines(string(out)) {
		parts := strings.Split(strings.TrimSpace(line), "|")
		all = append(all, goPackage{parts[0], strings.Fields(parts[1]), strings.Fields(parts[2])})
	}
	if len(all) != len(dirs) {
		t.Fatalf("%d packages listed, want %d", len(all), len(dirs))
	}
	return all
}
