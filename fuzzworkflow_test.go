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

var fuzzTarget = regexp.MustCompile(`(?m)^func Fuzz[A-Z]\w*\(`)

// fuzzed returns the directories of packages with fuzz targets.
func fuzzed(t *testing.T) (dirs []string) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if fuzzTarget.Match(text) {
			dirs = append(dirs, filepath.ToSlash(filepath.Dir(path)))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// The weekly workflow fuzzes all packages that have targets.
func TestFuzzWorkflow(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(".github", "workflows", "fuzz.yml"))
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
	slices.Sort(listed)
	if want := fuzzed(t); !slices.Equal(listed, want) {
		t.Errorf("fuzz.yml lists\n%q\nbut these packages have targets:\n%q", listed, want)
	}
}
