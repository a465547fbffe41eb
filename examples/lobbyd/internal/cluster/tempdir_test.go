package cluster

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A temporary directory that a killed node has left is removed by the next one. Directories
// in use stay, and so do other directories with such a name.
func TestStaleDirectoriesAreRemoved(t *testing.T) {
	at := places(t, 2, lasting)
	at[0].tmp = t.TempDir()
	t.Setenv("TMPDIR", at[0].tmp)
	t.Setenv("TMP", at[0].tmp) // on Windows
	foreign := filepath.Join(at[0].tmp, "lobbyd-notes")
	if err := os.Mkdir(foreign, 0o700); err != nil {
		t.Fatal(err)
	}
	left := func() []string {
		t.Helper()
		all, err := filepath.Glob(filepath.Join(at[0].tmp, tempPattern))
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	kill := startChild(t, at[0])
	if got := left(); len(got) != 2 {
		t.Fatalf("the node has made %q", got)
	}
	first, err := emptyDir("")
	if err != nil {
		t.Fatal(err)
	}
	if got := left(); len(got) != 3 {
		t.Errorf("beside a running node there is %q", got)
	}
	kill()
	second, err := emptyDir("")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{first.path, second.path, foreign}
	slices.Sort(want)
	if got := left(); !slices.Equal(got, want) {
		t.Errorf("after the death of the node there is %q, want %q", got, want)
	}
	for _, d := range []tempDir{first, second} {
		if err := d.remove(); err != nil {
			t.Error(err)
		}
	}
	if got := left(); !slices.Equal(got, []string{foreign}) {
		t.Errorf("at the end there is %q", got)
	}
}
