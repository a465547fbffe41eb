package lobbywire_test

import (
	"go/doc/comment"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Links between the files of the repository lead somewhere.
func TestLinksLeadSomewhere(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^():#]+)(?:#[^)]*)?\)`)
	code := regexp.MustCompile("(?s)```.*?```")
	found := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(string(text), ""), -1) {
			found++
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
		return err
	})
	if err != nil || found == 0 {
		t.Errorf("%d links, error %v", found, err)
	}
}

// Files that the documentation of a package lists exist.
func TestListedFilesExist(t *testing.T) {
	listed := regexp.MustCompile(`(?m)^//\t([a-z0-9_]+\.go)\b`)
	found := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "doc.go" {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range listed.FindAllStringSubmatch(string(text), -1) {
			found++
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), m[1])); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
		return err
	})
	if err != nil || found == 0 {
		t.Errorf("%d files, error %v", found, err)
	}
}

var goldenName = regexp.MustCompile(`[A-Za-z0-9_]+\.hex`)

// Golden files that comments of a codec name exist.
func TestNamedGoldenFilesExist(t *testing.T) {
	for _, dir := range codecs() {
		for name, f := range load(t, dir).files {
			for _, c := range f.Comments {
				for _, golden := range goldenName.FindAllString(c.Text(), -1) {
					if _, err := os.Stat(filepath.Join(dir, "testdata", "golden", golden)); err != nil {
						t.Errorf("%s/%s: %v", dir, name, err)
					}
				}
			}
		}
	}
}

// Each quirk names a golden file that shows it.
func TestQuirksNameGoldenFiles(t *testing.T) {
	for _, dir := range codecs() {
		quirks := section(load(t, dir).files["doc.go"].Doc.Text(), "Quirks")
		if len(quirks) == 0 {
			t.Errorf("%s: no quirks", dir)
		}
		for _, q := range quirks {
			if !goldenName.MatchString(q) {
				t.Errorf("%s: no golden file shows that %q", dir, q)
			}
		}
	}
}

// section returns the paragraphs of a section of a comment.
func section(text, heading string) (paragraphs []string) {
	var p comment.Parser
	var printer comment.Printer
	within := false
	for _, block := range p.Parse(text).Content {
		text := strings.TrimSpace(string(printer.Text(&comment.Doc{Content: []comment.Block{block}})))
		if _, ok := block.(*comment.Heading); ok {
			within = text == "# "+heading
		} else if within {
			paragraphs = append(paragraphs, text)
		}
	}
	return paragraphs
}
