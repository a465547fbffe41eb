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
	"time"

	"github.com/gofrs/flock"

	"github.com/lobbywire/lobbywire/examples/internal/atomicfile"
	"github.com/lobbywire/lobbywire/examples/internal/regular"
)

// The modes of the directory and its files.
const (
	dirMode  = 0o700
	fileMode = 0o600
)

// A Dir is the data directory of this process.
type Dir struct {
	path string
	lock *flock.Flock
}

// ErrInUse means that another lobbyd uses the directory.
var ErrInUse = errors.New("another lobbyd uses it")

const lockFile = "lock"

// patience is how long Open waits for another lobbyd that is ending.
const patience = 2 * time.Second

// Open opens a directory, which it creates if necessary, and locks it until Close. It makes
// the directory and its files private, and logs which were not. It gives up when ctx is done.
func Open(ctx context.Context, path string, log *slog.Logger) (*Dir, error) {
	if err := os.MkdirAll(path, dirMode); err != nil {
		return nil, err
	}
	d := &Dir{path: path}
	if f, err := regular.Open(d.Path(lockFile), os.O_RDONLY); err == nil {
		f.Close() // it was not changed
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	d.lock = flock.New(d.Path(lockFile), flock.SetPermissions(fileMode))
	short, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err := d.lock.TryLockContext(short, patience/40)
	switch {
	case ctx.Err() != nil && err != nil:
		return nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("%s: %w", path, ErrInUse)
	case err != nil:
		return nil, err
	}
	d.makePrivate(log)
	return d, nil
}

// Path returns the path of a file in the directory.
func (d *Dir) Path(name string) string { return filepath.Join(d.path, name) }

// Close unlocks the directory.
func (d *Dir) Close() error { return d.lock.Close() }

const (
	secretSize    = 32
	maxSecretFile = 1 << 10
)

// Secret returns a secret of the directory, in hexadecimal. If there is none of this name,
// Secret makes one.
func (d *Dir) Secret(name string) (string, error) {
	path := d.Path(name + ".secret")
	b, err := regular.Read(path, maxSecretFile)
	if errors.Is(err, fs.ErrNotExist) {
		secret := make([]byte, secretSize)
		rand.Read(secret) // cannot fail
		text := hex.EncodeToString(secret)
		return text, atomicfile.Write(path, []byte(text+"\n"), fileMode)
	}
	if err != nil {
		return "", err
	}
	text := strings.TrimSpace(string(b))
	if secret, err := hex.DecodeString(text); err != nil || len(secret) != secretSize {
		return "", fmt.Errorf("%s: want %d hexadecimal digits; remove it to get a new one", path, 2*secretSize)
	}
	return text, nil
}
