package files

import (
	"fmt"
	"io"
	"os"
	"syscall"
)

// OpenRegular opens a file as os.OpenFile does, but never creates one. It fails at once if the path
// leads to anything but a regular file.
func OpenRegular(path string, flag int) (*os.File, error) {
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

// ReadRegular returns the content of a regular file, which may have up to most bytes.
func ReadRegular(path string, most int64) ([]byte, error) {
	f, err := OpenRegular(path, os.O_RDONLY)
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
