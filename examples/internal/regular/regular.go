// Package regular reads files at paths where other programs may have put something else: a
// pipe, on which a program would wait without end, or a device.
package regular

import (
	"fmt"
	"io"
	"os"
	"syscall"
)

// Open opens a file as os.OpenFile does, but never creates one. It fails at once if the path
// leads to anything but a regular file.
func Open(path string, flag int) (*os.File, error) {
	f, err := os.OpenFile(path, flag|syscall.O_NONBLOCK, 0) // a pipe would wait for the other end
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Read returns the content of a regular file, which may have up to most bytes.
func Read(path string, most int64) ([]byte, error) {
	f, err := Open(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(b)) > most {
		return nil, fmt.Errorf("%s has more than %d bytes", path, most)
	}
	return b, err
}
