package lobbywire_test

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/lobbywire/lobbywire"

// codecs returns the packages that must stay pure: all below the top level,
// except internal and the helpers, whose names end in net.
func codecs() []string {
	var dirs []string
	for _, pattern := range []string{"*/doc.go", "*/*/doc.go"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			return nil
		}
		for _, p := range paths {
			dir := filepath.ToSlash(filepath.Dir(p))
			if !strings.HasPrefix(dir, "internal/") && !strings.HasPrefix(dir, "examples/") && !strings.HasSuffix(dir, "net") {
				dirs = append(dirs, dir)
			}
		}
	}
	return dirs
}

// allowedImports are what a codec may import itself.
func allowedImports() []string {
	return []string{
		"bytes", "cmp", "encoding", "encoding/binary", "encoding/hex", "encoding/json", "errors", "fmt", "iter",
		"maps", "math", "math/bits", "net/netip", "slices", "strconv", "strings", "unicode/utf16", "unicode/utf8",
		module, module + "/internal/wire",
	}
}

// A codec is pure: it imports little, nothing of ours but what is below it,
// and the network not even indirectly.
func TestCodecImports(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("needs the go command")
	}
	args := []string{"list", "-f", `{{.ImportPath}}|{{join .Imports " "}}|{{join .Deps " "}}`, "./internal/wire"}
	for _, c := range codecs() {
		args = append(args, "./"+c)
	}
	out, err := exec.Command(goTool, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	if len(codecs()) == 0 {
		t.Fatal("no codecs")
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != len(args)-3 {
		t.Fatalf("%d packages listed, want %d", len(lines), len(args)-3)
	}
	for _, line := range lines {
		parts := strings.Split(line, "|")
		for _, p := range strings.Fields(parts[1]) {
			if !slices.Contains(allowedImports(), p) {
				t.Errorf("%s imports %s", parts[0], p)
			}
		}
		for _, p := range strings.Fields(parts[2]) {
			if p == "net" || strings.HasPrefix(p, "golang.org/x/") {
				t.Errorf("%s depends on %s", parts[0], p)
			}
		}
	}
}
