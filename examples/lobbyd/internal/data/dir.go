package data

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/lobbywire/lobbywire/examples/internal/files"
)

// The modes of the directory and its files.
const (
	dirMode  = 0o700
	fileMode = 0o600
)

// A Dir is the data directory of this process.
type Dir struct {
	path string
	lock *flock.Flock // nil if nothing can be written
	log  *slog.Logger

	mu      sync.Mutex
	unsaved map[string]string // secrets by the paths of their files
}

// ErrInUse means that another lobbyd uses the directory.
var ErrInUse = errors.New("another lobbyd uses it")

const lockFile = "lock"

// patience is how long Open waits for another lobbyd that is ending.
const patience = 2 * time.Second

// Open opens a directory, which it creates if necessary, and locks it until Close. It makes
// the directory and its files private, and logs which were not. A directory that cannot be written
// is only read, without a lock. Open gives up when ctx is done.
func Open(ctx context.Context, path string, log *slog.Logger) (*Dir, error) {
	if err := os.MkdirAll(path, dirMode); err != nil {
		return nil, err
	}
	d := &Dir{path: path, log: log}
	err := d.hold(ctx)
	switch {
	case err == nil:
		d.makePrivate(log)
	case ctx.Err() == nil && !errors.Is(err, ErrInUse) && isReadOnly(path):
		d.lock = nil
		log.Warn("the data directory cannot be written: its lists are read, but changes are not saved", "path", path,
			"error", err)
	default:
		return nil, err
	}
	return d, nil
}

// hold locks the directory.
func (d *Dir) hold(ctx context.Context) error {
	if f, err := files.OpenRegular(d.Path(lockFile), os.O_RDONLY); err == nil {
		f.Close() // it was not changed
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	d.lock = flock.New(d.Path(lockFile), flock.SetPermissions(fileMode))
	short, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err := d.lock.TryLockContext(short, patience/40)
	switch {
	case ctx.Err() != nil && err != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%s: %w", d.path, ErrInUse)
	}
	return err
}

// Path returns the path of a file in the directory.
func (d *Dir) Path(name string) string { return filepath.Join(d.path, name) }

// Close unlocks the directory.
func (d *Dir) Close() error {
	if d.lock == nil {
		return nil
	}
	return d.lock.Close()
}

// isReadOnly reports whether no files can be made in a directory that can be read.
func isReadOnly(path string) bool {
	if _, err := os.ReadDir(path); err != nil {
		return false
	}
	f, err := os.CreateTemp(path, ".lobbyd-")
	if err != nil {
		return true
	}
	f.Close() // nothing was written
	os.Remove(f.Name())
	return false
}

const (
	secretSize    = 32
	maxSecretFile = 1 << 10
)

// Secret returns a secret of the directory, in hexadecimal. If there is none of this name,
// or the file is empty, Secret makes one. One that cannot be saved is saved with the next
// change of a list.
func (d *Dir) Secret(name string) (string, error) {
	path := d.Path(name + ".secret")
	b, err := files.ReadRegular(path, maxSecretFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	text := strings.Trim(string(b), " \t\r\n\x00") // a power failure may leave zeros
	if text == "" {
		if err == nil {
			d.log.Warn("the file of a secret is empty; there is a new secret now", "path", path)
		}
		return d.newSecret(path), nil
	}
	if secret, err := hex.DecodeString(text); err != nil || len(secret) != secretSize {
		return "", fmt.Errorf("%s: want %d hexadecimal digits; remove it to get a new one", path, 2*secretSize)
	}
	return text, nil
}

// newSecret makes a secret and saves it.
func (d *Dir) newSecret(path string) string {
	secret := make([]byte, secretSize)
	rand.Read(secret) // cannot fail
	text := hex.EncodeToString(secret)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.unsaved == nil {
		d.unsaved = make(map[string]string)
	}
	d.unsaved[path] = text
	if err := d.saveSecretsLocked(); err != nil {
		d.log.Warn("a new secret is not saved; a restart now would make another", "path", path, "error", err)
	}
	return text
}

// saveSecrets saves secrets that could not be saved before.
func (d *Dir) saveSecrets() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.saveSecretsLocked()
}

func (d *Dir) saveSecretsLocked() error {
	for path, text := range d.unsaved {
		if err := files.Write(path, []byte(text+"\n"), fileMode); err != nil {
			return err
		}
		delete(d.unsaved, path)
	}
	return nil
}
