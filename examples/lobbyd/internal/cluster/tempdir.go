package cluster

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// A tempDir is the directory of an embedded server. A temporary one is locked, so that a later
// process can remove directories of killed processes.
type tempDir struct {
	path string
	lock *flock.Flock // nil unless it is temporary
}

const (
	tempPattern = "lobbyd-*"
	tempLock    = "lock" // file in a temporary directory
	tempTries   = 10
)

// emptyDir returns an empty directory: path, or a temporary one if it is "".
func emptyDir(path string) (tempDir, error) {
	if path == "" {
		removeStale()
		return newTempDir()
	}
	if err := os.RemoveAll(path); err != nil {
		return tempDir{}, err
	}
	return tempDir{path: path}, os.MkdirAll(path, 0o700)
}

// newTempDir returns a locked temporary directory.
func newTempDir() (tempDir, error) {
	for range tempTries {
		path, err := os.MkdirTemp("", tempPattern)
		if err != nil {
			return tempDir{}, err
		}
		d := tempDir{path, flock.New(filepath.Join(path, tempLock), flock.SetPermissions(0o600))}
		locked, err := d.lock.TryLock()
		if _, gone := os.Lstat(d.lock.Path()); locked && gone == nil {
			return d, nil
		}
		// Another process has taken it for stale before the lock, or its file system has no locks.
		if err := errors.Join(err, d.remove()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return tempDir{}, err
		}
	}
	return tempDir{}, errors.New("no temporary directory can be locked")
}

// removeStale removes the temporary directories of processes that were killed. It leaves
// directories of other users, whose files may be links.
func removeStale() {
	all, _ := filepath.Glob(filepath.Join(os.TempDir(), tempPattern)) // the pattern is valid
	for _, path := range all {
		if info, err := os.Lstat(path); err != nil || !info.IsDir() || !isOurs(info) {
			continue
		}
		if _, err := os.Lstat(filepath.Join(path, tempLock)); err != nil {
			continue // it is new, or no directory of a server
		}
		d := tempDir{path, flock.New(filepath.Join(path, tempLock))}
		if locked, err := d.lock.TryLock(); err == nil && locked {
			d.remove() // if that fails, the next process tries
		}
	}
}

// empty removes all that a server has left in the directory.
func (d tempDir) empty() error {
	all, err := os.ReadDir(d.path)
	for _, one := range all {
		if d.lock == nil || one.Name() != tempLock {
			err = errors.Join(err, os.RemoveAll(filepath.Join(d.path, one.Name())))
		}
	}
	return err
}

// remove removes the directory while it is locked.
func (d tempDir) remove() error {
	err := os.RemoveAll(d.path)
	if d.lock == nil {
		return err
	}
	unlocked := d.lock.Close()
	return errors.Join(unlocked, os.RemoveAll(d.path)) // Windows keeps open files
}
