package files

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// A File is a temporary file that replaces another file at the end.
type File struct {
	*os.File
	path string // of the file to replace; "" if there is none
}

// Create creates a file that Commit moves to path. If path is not a regular file, such as
// a device or a pipe, it is written directly. If path is a symbolic link, the link stays
// and its target is replaced. The file has the mode of the old one or, if there is none,
// mode before the umask.
func Create(path string, mode fs.FileMode) (*File, error) {
	if old, err := os.Stat(path); err == nil && !old.Mode().IsRegular() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		return &File{File: f}, err
	}
	return Replace(path, mode)
}

// Replace creates a file as Create does, but fails if there is anything but a regular file at
// path: a program that writes its own files would wait for the other end of a pipe.
func Replace(path string, mode fs.FileMode) (*File, error) {
	old, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	case !old.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file", path)
	default:
		path, err = filepath.EvalSymlinks(path)
		if err != nil {
			return nil, err
		}
	}
	f, err := os.OpenFile(fmt.Sprintf("%s.%x", path, rand.Uint64()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return nil, err
	}
	if old != nil {
		if err := f.Chmod(old.Mode().Perm()); err != nil {
			return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
		}
	}
	return &File{f, path}, nil
}

// Commit closes the file and replaces the old one. On error, the old file is unchanged.
func (f *File) Commit() error {
	if f.path == "" {
		return f.Close()
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if err := os.Rename(f.Name(), f.path); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// Discard closes and removes the file. The old file is unchanged.
func (f *File) Discard() error {
	err := f.Close()
	if f.path != "" {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}

// Write replaces the content of a file as Replace and Commit do.
func Write(path string, b []byte, mode fs.FileMode) error {
	f, err := Replace(path, mode)
	if err != nil {
		return err
	}
	if _, err := f.Write(b); err != nil {
		return errors.Join(err, f.Discard())
	}
	return f.Commit()
}

// SetAside renames a file that cannot be read, so that another can take its place. It returns
// the new path, or "" if the file stays.
func SetAside(path string) (string, error) {
	if err := os.Rename(path, path+Aside); err != nil {
		return "", err
	}
	return path + Aside, nil
}

// Aside is the suffix of files that were set aside.
const Aside = ".bad"
