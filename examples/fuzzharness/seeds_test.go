package fuzzharness

import (
	"bytes"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// root is the directory of lobbywire, which has the golden files. In a copy of
// this package, set it to the path of a clone of lobbywire.
const root = "../.."

// golden returns the bytes of a package's golden files with one of these
// directions; see internal/test/golden/README.md.
func golden(t testing.TB, pkg string, directions ...string) (all [][]byte) {
	t.Helper()
	index, err := os.ReadFile(filepath.Join(root, "internal/test/golden/index.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(index)) {
		columns := strings.Split(line, "\t")
		for _, direction := range directions {
			if strings.HasPrefix(columns[1], pkg+".") && columns[2] == direction {
				all = append(all, readHex(t, filepath.Join(root, columns[0])))
			}
		}
	}
	if len(all) == 0 {
		t.Fatalf("no golden files of %s", pkg)
	}
	return all
}

func readHex(t testing.TB, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var digits strings.Builder
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		digits.WriteString(strings.Join(strings.Fields(line), ""))
	}
	b, err := hex.DecodeString(digits.String())
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return b
}

// The README makes a corpus for fuzzers of other languages from the same files.
func TestCorpusOfTheREADME(t *testing.T) {
	for _, program := range []string{"sh", "awk", "sed", "xxd"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(readme), "<!-- corpus -->\n```sh\n")
	script, _, _ := strings.Cut(after, "```")
	clone, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"internal", "sqp"} {
		if err := os.Symlink(filepath.Join(clone, name), filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", script)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%v: %s", err, out)
	}
	files, err := filepath.Glob(filepath.Join(dir, "corpus", "*"))
	if err != nil {
		t.Fatal(err)
	}
	var got [][]byte
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, b)
	}
	want := sqpSeeds(t)
	slices.SortFunc(got, bytes.Compare)
	slices.SortFunc(want, bytes.Compare)
	if !slices.EqualFunc(want, got, bytes.Equal) {
		t.Errorf("the corpus is\n%x\nwant\n%x", got, want)
	}
}

// wantError fails unless at least one of several tries reveals a fault.
func wantError(t *testing.T, fault string, tries []func() error) {
	t.Helper()
	var others []error
	for _, try := range tries {
		err := try()
		if err != nil && strings.Contains(err.Error(), fault) {
			return
		}
		others = append(others, err)
	}
	t.Errorf("%q is not noticed, but %v", fault, others)
}
