package data

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDirectoryIsLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b")
	d := open(t, path)
	if _, err := Open(t.Context(), path, slog.New(slog.DiscardHandler)); !errors.Is(err, ErrInUse) {
		t.Errorf("opened twice: %v", err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	open(t, path)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestSecretStaysTheSame(t *testing.T) {
	d := open(t, t.TempDir())
	first, err := d.Secret("key")
	again, err2 := d.Secret("key")
	if err != nil || err2 != nil || len(first) != 2*secretSize || again != first {
		t.Errorf("%q and %q, %v, %v", first, again, err, err2)
	}
	if other, err := d.Secret("other"); err != nil || other == first {
		t.Errorf("%q, %v", other, err)
	}
	if info, err := os.Stat(d.Path("key.secret")); err != nil || info.Mode() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	for _, empty := range []string{"", "\n", strings.Repeat("\x00", 64)} {
		var log bytes.Buffer
		d.log = slog.New(slog.NewTextHandler(&log, nil))
		if err := os.WriteFile(d.Path("key.secret"), []byte(empty), fileMode); err != nil {
			t.Fatal(err)
		}
		made, err := d.Secret("key")
		again, err2 := d.Secret("key")
		if err != nil || err2 != nil || len(made) != 2*secretSize || made == first || again != made ||
			strings.Count(log.String(), "WARN") != 1 || strings.Contains(log.String(), made) {
			t.Errorf("%q in the file: %q and %q, %v, %v, %s", empty, made, again, err, err2, &log)
		}
	}
	if err := os.WriteFile(d.Path("key.secret"), []byte(first[:20]), fileMode); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Secret("key"); err == nil || !strings.Contains(err.Error(), "key.secret") ||
		strings.Contains(err.Error(), first[:20]) {
		t.Errorf("a cut secret: %v", err)
	}
}

// A secret that cannot be saved counts, and is saved when there is space.
func TestSecretIsSavedLater(t *testing.T) {
	path := t.TempDir() + "/data"
	d := open(t, path)
	l := d.newLists(slog.New(slog.DiscardHandler))
	if err := os.Rename(path, path+".away"); err != nil {
		t.Fatal(err)
	}
	secret, err := d.Secret("key")
	if err != nil || l.write() {
		t.Errorf("written to a directory that is away: %v", err)
	}
	if err := os.Rename(path+".away", path); err != nil {
		t.Fatal(err)
	}
	if !l.write() {
		t.Error("not saved")
	}
	if got, err := d.Secret("key"); got != secret || err != nil {
		t.Errorf("another secret, %v", err)
	}
}
