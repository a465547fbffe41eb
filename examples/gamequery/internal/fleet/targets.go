package fleet

import (
	"fmt"
	"io"
	"os"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
	"github.com/lobbywire/lobbywire/examples/internal/input"
)

// AddFile adds the servers that a file lists.
func (f *Fleet) AddFile(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	return f.addListed(name, file)
}

// AddArguments adds the servers of a command line.
func (f *Fleet) AddArguments(args []string, stdin io.Reader) error {
	for _, arg := range args {
		var err error
		if arg == input.Stdin {
			err = f.addListed("standard input", stdin)
		} else {
			err = f.Add(arg)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *Fleet) addListed(name string, r io.Reader) error {
	for word, err := range targets.Words(name, r) {
		if err == nil {
			if err = f.Add(word.Text); err != nil {
				err = fmt.Errorf("%s: %w", word.Line, err)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
