package files_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/files"
)

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A file keeps its content until Commit, and its mode.
func TestFileKeepsItsContentUntilCommit(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	at := path
	if os.Symlink("file", link) == nil { // not on every system
		at = link
	}
	f, err := files.Create(at, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("new"); err != nil {
		t.Fatal(err)
	}
	if got := content(t, path); got != "old" {
		t.Errorf("before Commit: %q", got)
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := content(t, at); got != "new" {
		t.Errorf("after Commit: %q", got)
	}
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

// Discard leaves nothing behind.
func TestDiscardLeavesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	f, err := files.Create(path, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Discard(); err != nil {
		t.Error(err)
	}
	if all, err := os.ReadDir(filepath.Dir(path)); err != nil || len(all) > 0 {
		t.Errorf("%v, %v", all, err)
	}
}

// A device is written to, not replaced.
func TestDeviceIsNotReplaced(t *testing.T) {
	for _, end := range []func(*files.File) error{(*files.File).Commit, (*files.File).Discard} {
		f, err := files.Create(os.DevNull, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString("x"); err != nil {
			t.Error(err)
		}
		if err := end(f); err != nil {
			t.Error(err)
		}
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%v, %v", info, err)
	}
}
