//go:build unix

package data

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// openLogged opens a directory, and returns what is logged.
func openLogged(t *testing.T, path string) string {
	t.Helper()
	var log bytes.Buffer
	d, err := Open(t.Context(), path, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	return log.String()
}

// makeFile makes a file with a mode, whatever the umask is.
func makeFile(t *testing.T, path string, mode fs.FileMode) {
	t.Helper()
	if err := errors.Join(os.WriteFile(path, []byte("x"), mode), os.Chmod(path, mode)); err != nil {
		t.Fatal(err)
	}
}

func checkMode(t *testing.T, path string, want fs.FileMode) {
	t.Helper()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
		t.Errorf("%s: %v, %v, want %v", path, info.Mode(), err, want)
	}
}

// The directory and its files become private, which is logged once. Files of others, also
// behind links, are not changed.
func TestDirectoryBecomesPrivate(t *testing.T) {
	dir, elsewhere := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "file")
	if err := errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o777),
		os.Symlink(elsewhere, filepath.Join(dir, "a.list"))); err != nil {
		t.Fatal(err)
	}
	makeFile(t, elsewhere, 0o644)
	own := []string{"key.secret", "gameagent.list", "gameagent.list.bad", "bans.json", "history.json", "lock"}
	for _, name := range own {
		makeFile(t, filepath.Join(dir, name), 0o666)
	}
	log := openLogged(t, dir)
	checkMode(t, dir, dirMode)
	checkMode(t, elsewhere, 0o644)
	for _, name := range own {
		checkMode(t, filepath.Join(dir, name), fileMode)
		if !strings.Contains(log, filepath.Join(dir, name)+" was=-rw-rw-rw-") {
			t.Errorf("the log does not name %s:\n%s", name, log)
		}
	}
	if again := openLogged(t, dir); again != "" {
		t.Errorf("logged again: %s", again)
	}
}

// A directory that others could only read is made private without a warning.
func TestReadableDirectoryBecomesPrivateSilently(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if log := openLogged(t, dir); !strings.Contains(log, "level=INFO") || strings.Contains(log, "level=WARN") {
		t.Errorf("logged %q", log)
	}
	checkMode(t, dir, dirMode)
}

// A directory that other programs use keeps its mode, but its files are private.
func TestFilesInASharedDirectoryBecomePrivate(t *testing.T) {
	dir := t.TempDir()
	makeFile(t, filepath.Join(dir, "letter.txt"), 0o644)
	makeFile(t, filepath.Join(dir, "bans.json"), 0o644)
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if log := openLogged(t, dir); !strings.Contains(log, "give lobbyd its own") {
		t.Errorf("logged %q", log)
	}
	checkMode(t, dir, 0o755)
	checkMode(t, filepath.Join(dir, "letter.txt"), 0o644)
	checkMode(t, filepath.Join(dir, "bans.json"), fileMode)
}

// lobbyd does not wait for the other end of pipes in place of files: lists are kept aside
// and made again, secrets and the lock are refused.
func TestNothingWaitsForPipes(t *testing.T) {
	pipe := func(d *Dir, name string) {
		t.Helper()
		if err := syscall.Mkfifo(d.Path(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d := open(t, t.TempDir())
	families := []catalogue.Family{catalogue.GameAgent, catalogue.GameSpy, catalogue.Bomberman, catalogue.Warzone}
	for _, family := range families {
		pipe(d, string(family)+".list")
	}
	pipe(d, "key.secret")
	var log bytes.Buffer
	l := d.newLists(slog.New(slog.NewTextHandler(&log, nil)))
	if !l.write() || strings.Count(log.String(), "not a regular file") != 4 {
		t.Errorf("the lists are not saved: %s", &log)
	}
	for _, family := range families {
		if info, err := os.Stat(d.Path(string(family) + ".list")); err != nil || !info.Mode().IsRegular() {
			t.Errorf("%s: %v, %v", family, info, err)
		}
	}
	if _, err := d.Secret("key"); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("the secret in a pipe: %v", err)
	}

	// The owner of the directory may still replace a list while lobbyd runs.
	if err := os.Remove(d.Path("gameagent.list")); err != nil {
		t.Fatal(err)
	}
	pipe(d, "gameagent.list")
	if err := l.GameAgent.replace(); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a list in place of which there is a pipe: %v", err)
	}

	other := &Dir{path: t.TempDir()}
	pipe(other, lockFile)
	if _, err := Open(t.Context(), other.path, slog.New(slog.DiscardHandler)); err == nil ||
		!strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("the lock is a pipe: %v", err)
	}
}

// Open gives up when the program is to end.
func TestOpenEndsWithItsContext(t *testing.T) {
	d := open(t, t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, d.path, slog.New(slog.DiscardHandler)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
