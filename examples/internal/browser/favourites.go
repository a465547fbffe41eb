package browser

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire/examples/internal/atomicfile"
)

// Favourites are servers in a file: a line each, with protocol and address. Lines that
// start with # are comments. Writing the file drops the comments.
type Favourites struct {
	path string // "" is no file
	all  []key
}

// LoadFavourites reads the file at path, which need not exist. An empty path keeps
// favourites in memory only.
func LoadFavourites(path string) (*Favourites, error) {
	f := &Favourites{path: path}
	if path == "" {
		return f, nil
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		words := strings.Fields(lines.Text())
		switch {
		case len(words) == 0 || words[0][0] == '#':
		case len(words) == 2:
			f.all = append(f.all, key{words[0], words[1]})
		default:
			return nil, fmt.Errorf("%s, line %d: want PROTOCOL ADDRESS", path, n)
		}
	}
	return f, lines.Err()
}

// All calls yield with the protocol and address of each.
func (f *Favourites) All(yield func(protocol, address string) bool) {
	for _, k := range f.all {
		if !yield(k.protocol, k.address) {
			return
		}
	}
}

func (f *Favourites) has(k key) bool { return slices.Contains(f.all, k) }

// toggle adds a server or removes it, and writes the file.
func (f *Favourites) toggle(k key) error {
	if i := slices.Index(f.all, k); i >= 0 {
		f.all = slices.Delete(f.all, i, i+1)
	} else {
		f.all = append(f.all, k)
	}
	if f.path == "" {
		return nil
	}
	var text bytes.Buffer
	for _, k := range f.all {
		fmt.Fprintln(&text, k.protocol, k.address)
	}
	return atomicfile.Write(f.path, text.Bytes(), 0o666)
}
