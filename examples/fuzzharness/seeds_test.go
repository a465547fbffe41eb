package fuzzharness

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/fuzzharness/vectors"
)

// golden returns the bytes of a package's golden files with one of these directions.
func golden(t testing.TB, pkg string, directions ...string) (all [][]byte) {
	t.Helper()
	files, err := vectors.Of(pkg, directions...)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range files {
		all = append(all, v.Bytes)
	}
	return all
}

// The README makes a corpus for fuzzers of other languages from the same files.
func TestREADMEMakesTheCorpus(t *testing.T) {
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
	clone, err := filepath.Abs("../..")
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
