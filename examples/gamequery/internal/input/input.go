// Package input reads the files of a command line.
package input

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/lobbywire/lobbywire/internal/hexfile"
)

// Max limits the total size of all files. It is our choice, far more than any of
// the protocols needs.
const Max = 16 << 20

// Stdin is the file name that means standard input.
const Stdin = "-"

// A Reader reads the files of one run.
type Reader struct {
	Stdin io.Reader
	hex   bool // all are hexadecimal, whatever their names
	size  int  // of what has been read
}

// AddFlag adds the flag for reading hexadecimal.
func (in *Reader) AddFlag(flags *pflag.FlagSet) {
	flags.BoolVar(&in.hex, "hex", false, "read hexadecimal with comments after #, as is always done for *.hex files")
}

// Read returns the bytes of a file. If it is called .hex they are in annotated
// hexadecimal.
func (in *Reader) Read(name string) ([]byte, error) {
	b, err := in.Raw(name)
	if err != nil || !in.hex && filepath.Ext(name) != ".hex" {
		return b, err
	}
	_, b, err = hexfile.Parse(string(b))
	if err != nil {
		return nil, fmt.Errorf("%s: not hexadecimal: %w", name, err)
	}
	return b, nil
}

// Raw returns the content of a file.
func (in *Reader) Raw(name string) ([]byte, error) {
	r := in.Stdin
	if name != Stdin {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		r = f
	}
	b, err := io.ReadAll(io.LimitReader(r, int64(Max-in.size)+1))
	if err != nil {
		return nil, err
	}
	in.size += len(b)
	if in.size > Max {
		return nil, fmt.Errorf("%s: more than %d bytes of input", name, Max)
	}
	return b, nil
}
