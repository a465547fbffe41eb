package data

import (
	"bytes"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/files"
)

// asNobody gives the files of a directory to the user nobody, and makes this goroutine, which
// must belong to a separate test, act as nobody, because modes do not stop root.
func asNobody(t *testing.T, dir string) {
	t.Helper()
	if os.Getuid() != 0 {
		return
	}
	const nobody = 65534
	err := os.Chmod(filepath.Dir(dir), 0o755)
	err = errors.Join(err, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chown(path, nobody, nobody))
	}))
	if err != nil {
		t.Fatal(err)
	}
	runtime.LockOSThread() // for ever: the thread ends with the goroutine

	// Root removes the files.
	t.Cleanup(func() { _ = errors.Join(syscall.Setfsuid(0), syscall.Setfsgid(0)) })
	if err := errors.Join(syscall.Setfsgid(nobody), syscall.Setfsuid(nobody)); err != nil {
		t.Fatal(err)
	}
}

// All lists that cannot be written are read. The log reports them, names no file that was not
// made, and the files stay. When they can be written again, the changes are written.
func TestReadOnlyListsAreRead(t *testing.T) {
	for _, tt := range []struct {
		name           string
		dir, lock, lst fs.FileMode
		wantLock       bool
	}{
		{"files", 0o700, 0o600, 0o400, true},
		{"files and directory", 0o500, 0o400, 0o400, true},
		{"no lock", 0o500, 0, 0o400, false},
		{"a lock of others", 0o500, 0o001, 0o400, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path, now := t.TempDir(), time.Now()
			first, err := Open(t.Context(), path, slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			w := opened(t, agents, first, now)
			for n := range 7 {
				w.Put(server(n, now))
			}
			w.mustWrite(t, now)
			if err := errors.Join(w.close(), first.Close()); err != nil {
				t.Fatal(err)
			}
			list, lock := first.Path("gameagent.list"), first.Path(lockFile)
			if tt.lock == 0 {
				err = os.Remove(lock)
			} else {
				err = os.Chmod(lock, tt.lock)
			}
			if err := errors.Join(err, os.Chmod(list, tt.lst), os.Chmod(path, tt.dir)); err != nil {
				t.Fatal(err)
			}
			before, err := os.ReadFile(list)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.Chmod(path, 0o700) })
			asNobody(t, path)

			var log bytes.Buffer
			to := slog.New(slog.NewTextHandler(&log, nil))
			d, err := Open(t.Context(), path, to)
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			l := d.newLists(to)
			if got := watch(l.GameAgent); len(got.listed) != 7 {
				t.Errorf("restored %d of 7: %s", len(got.listed), &log)
			}
			if _, err := d.Secret("key"); err != nil {
				t.Errorf("no secret: %v", err)
			}
			l.GameAgent.Put(server(99, now))
			if l.write() {
				t.Error("it is saved")
			}
			said := log.String()
			if strings.Contains(said, files.Aside) || strings.Count(said, "latest changes are not saved") != 1 ||
				strings.Contains(said, "cannot be written") == tt.wantLock {
				t.Errorf("logged:\n%s", said)
			}
			if after, err := os.ReadFile(list); err != nil || !bytes.Equal(after, before) {
				t.Errorf("%d bytes of %d are left, %v", len(after), len(before), err)
			}
			if err := errors.Join(os.Chmod(path, 0o700), os.Chmod(list, 0o600)); err != nil {
				t.Fatal(err)
			}
			if !l.write() {
				t.Errorf("it is not saved: %s", &log)
			}
			again := agents(d)
			if err := again.restore(now); err != nil || len(again.kept) != 8 {
				t.Errorf("%d are saved, %v", len(again.kept), err)
			}
			again.close()
		})
	}
}

// The log of a file that can neither be read nor renamed names no other file.
func TestLogOfAnUnreadableFileNamesNoOther(t *testing.T) {
	t.Run("", func(t *testing.T) {
		path := t.TempDir()
		if err := os.WriteFile(filepath.Join(path, "gameagent.list"), []byte("hello\n"), 0o400); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.WriteFile(filepath.Join(path, lockFile), nil, 0o400), os.Chmod(path, 0o500)); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(path, 0o700) })
		asNobody(t, path)
		d := open(t, path)
		var log bytes.Buffer
		d.newLists(slog.New(slog.NewTextHandler(&log, nil)))
		if said := log.String(); !strings.Contains(said, "another format") || strings.Contains(said, "kept=") {
			t.Errorf("logged %s", said)
		}
	})
}
