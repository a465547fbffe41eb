package lobbywire_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var testFunction = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)[A-Z]\w*)\(`)

// testFunctions returns the directories in which there are tests and fuzz targets, by name.
func testFunctions(t *testing.T) map[string][]string {
	dirs := make(map[string][]string)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		dir := filepath.ToSlash(filepath.Dir(path))
		for _, m := range testFunction.FindAllStringSubmatch(string(text), -1) {
			dirs[m[1]] = append(dirs[m[1]], dir)
		}
		return err
	})
	if err != nil || len(dirs) == 0 {
		t.Fatalf("%d tests, error %v", len(dirs), err)
	}
	return dirs
}

// The weekly workflow fuzzes all packages that have targets.
func TestFuzzWorkflow(t *testing.T) {
	text, err := os.ReadFile(".github/workflows/fuzz.yml")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(text), "package:\n")
	list, _, _ = strings.Cut(list, "steps:")
	var listed []string
	for line := range strings.Lines(list) {
		if dir, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok {
			listed = append(listed, strings.Trim(dir, `"`))
		}
	}
	var want []string
	for name, dirs := range testFunctions(t) {
		if strings.HasPrefix(name, "Fuzz") {
			want = append(want, dirs...)
		}
	}
	slices.Sort(want)
	slices.Sort(listed)
	want = slices.Compact(want)
	if !slices.Equal(listed, want) {
		t.Errorf("fuzz.yml lists\n%q\nbut these have targets:\n%q", listed, want)
	}
}

// The tests that SECURITY.md names exist.
func TestSecurityNamesTests(t *testing.T) {
	text, err := os.ReadFile(".github/SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	all := testFunctions(t)
	names := regexp.MustCompile("`((?:Test|Fuzz)[A-Z]\\w*)`").FindAllStringSubmatch(string(text), -1)
	for _, m := range names {
		if all[m[1]] == nil && m[1] != "FuzzX" {
			t.Errorf("there is no %s", m[1])
		}
	}
	if len(names) == 0 {
		t.Error("no names")
	}
}
