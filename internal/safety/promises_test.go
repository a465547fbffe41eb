package safety_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every test that SECURITY.md names exists, in the library or in the programs.
func TestSecurityNamesTests(t *testing.T) {
	root := filepath.Join("..", "..")
	text := security(t)
	declared := make(map[string]bool)
	function := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	must(t, filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range function.FindAllSubmatch(source, -1) {
			declared[string(m[1])] = true
		}
		return err
	}))
	named := regexp.MustCompile("`((?:Test|Fuzz)\\w+)`").FindAllStringSubmatch(text, -1)
	if len(named) == 0 {
		t.Fatal("SECURITY.md names no test")
	}
	for _, m := range named {
		if name := m[1]; name != "FuzzX" && !declared[name] {
			t.Errorf("SECURITY.md names %s, which does not exist", name)
		}
	}
}

// Every promise of SECURITY.md names a test.
func TestPromisesHaveTests(t *testing.T) {
	_, promises, _ := strings.Cut(security(t), "\n## What we promise\n")
	promises, _, _ = strings.Cut(promises, "\n## ")
	items := strings.Split(promises, "\n- ")[1:]
	if len(items) < 40 {
		t.Fatalf("SECURITY.md has %d promises", len(items))
	}
	test := regexp.MustCompile("`(?:Test|Fuzz)\\w+`")
	for _, item := range items {
		item, _, _ = strings.Cut(item, "\n\n**") // the next heading
		if !test.MatchString(item) {
			t.Errorf("no test of a promise: %s", item)
		}
	}
}

func security(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", ".github", "SECURITY.md"))
	must(t, err)
	return string(text)
}
