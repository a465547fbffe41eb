package safety_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// named matches the name of a test, also with the word every or with packages.
var named = regexp.MustCompile("(every )?`((?:Test|Fuzz)\\w+)`( of `[a-z]\\w*`(?:(?:,| and) `[a-z]\\w*`)*)?")

// Every test that SECURITY.md names exists, in the library or in the programs, and once:
// otherwise it names all tests of a name, or their packages.
func TestSecurityNamesTests(t *testing.T) {
	packages := declaredTests(t)
	all := named.FindAllStringSubmatch(oneLine(security(t)), -1)
	if len(all) == 0 {
		t.Fatal("SECURITY.md names no test")
	}
	quoted := regexp.MustCompile("`(\\w+)`")
	for _, m := range all {
		every, name, of := m[1] != "", m[2], m[3]
		in := packages[name]
		switch {
		case name == "FuzzX" || name == "TestXAcceptsItsFormsOnly":
		case len(in) == 0:
			t.Errorf("SECURITY.md names %s, which does not exist", name)
		case every && len(in) == 1:
			t.Errorf("SECURITY.md names every %s, but only %s has one", name, in[0])
		case of == "" && !every && len(in) > 1:
			t.Errorf("SECURITY.md names %s without a package; these have one: %v", name, in)
		}
		for _, p := range quoted.FindAllStringSubmatch(of, -1) {
			if !slices.Contains(in, p[1]) {
				t.Errorf("SECURITY.md names %s of %s; these have one: %v", name, p[1], in)
			}
		}
	}
}

// Each row of a table of promises names a test that shows it, and each section has a table.
func TestPromisesHaveTests(t *testing.T) {
	_, promises, _ := strings.Cut(security(t), "\n## What we promise\n")
	promises, _, _ = strings.Cut(promises, "\n## ")
	sections := strings.Split(promises, "\n### ")[1:]
	if len(sections) == 0 {
		t.Fatal("SECURITY.md has no sections of promises")
	}
	for _, section := range sections {
		title, section, _ := strings.Cut(section, "\n")
		_, table, found := strings.Cut(section, "\n| promise | tests |\n|---|---|\n")
		table, _, _ = strings.Cut(table+"\n", "\n\n")
		if !found || table == "" {
			t.Errorf("%s: no table of promises", title)
			continue
		}
		for row := range strings.Lines(table) {
			cells := strings.Split(strings.Trim(row, "| \n"), " | ")
			if len(cells) != 2 || named.MatchString(cells[0]) || !named.MatchString(cells[1]) {
				t.Errorf("%s: not a promise and its tests: %s", title, row)
			}
		}
	}
}

// declaredTests returns the names of all tests, each with the packages that declare it.
func declaredTests(t *testing.T) map[string][]string {
	t.Helper()
	declared := make(map[string][]string)
	function := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	must(t, filepath.WalkDir(filepath.Join("..", "..", ".."), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range function.FindAllSubmatch(source, -1) {
			name, in := string(m[1]), filepath.Base(filepath.Dir(path))
			if !slices.Contains(declared[name], in) { // it may have one for each system
				declared[name] = append(declared[name], in)
			}
		}
		return err
	}))
	return declared
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func security(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", ".github", "SECURITY.md"))
	must(t, err)
	return string(text)
}
