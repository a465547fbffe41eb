package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/lobbywire/lobbywire/internal/hexfile"
)

// maxInput limits the total size of all files. It is our choice, far more than any of
// the protocols needs.
const maxInput = 16 << 20

// stdinName is the file name that means standard input.
const stdinName = "-"

// An input reads the files of one run.
type input struct {
	stdin io.Reader
	hex   bool // all are hexadecimal, whatever their names
	size  int  // of what has been read
}

// addFlag adds the flag for reading hexadecimal.
func (in *input) addFlag(flags *pflag.FlagSet) {
	flags.BoolVar(&in.hex, "hex", false, "read hexadecimal with comments after #, as is always done for *.hex files")
}

// read returns the bytes of a file. If it is called .hex they are in annotated
// hexadecimal.
func (in *input) read(name string) ([]byte, error) {
	b, err := in.raw(name)
	if err != nil || !in.hex && filepath.Ext(name) != ".hex" {
		return b, err
	}
	if _, b, err = hexfile.Parse(string(b)); err != nil {
		return nil, fmt.Errorf("%s: not hexadecimal: %w", name, err)
	}
	return b, nil
}

// raw returns the content of a file.
func (in *input) raw(name string) ([]byte, error) {
	r := in.stdin
	if name != stdinName {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		r = f
	}
	b, err := io.ReadAll(io.LimitReader(r, int64(maxInput-in.size)+1))
	if err != nil {
		return nil, err
	}
	if in.size += len(b); in.size > maxInput {
		return nil, fmt.Errorf("%s: more than %d bytes of input", name, maxInput)
	}
	return b, nil
}

// readAll returns the bytes of each file, in the format f.
func (in *input) readAll(names []string, f format) ([][]byte, error) {
	files := make([][]byte, len(names))
	for i, name := range names {
		var err error
		if files[i], err = in.read(name); err != nil {
			return nil, err
		}
		if f.datagram && len(files[i]) >= maxDatagram {
			return nil, fmt.Errorf("%s: %d bytes, more than a datagram can have", name, len(files[i]))
		}
	}
	return files, nil
}
