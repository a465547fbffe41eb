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

	"github.com/lobbywire/lobbywire/examples/internal/files"
)

// Favourites are servers in a file: a line each, with protocol, address, and form if
// it is legacy. Lines that start with # are comments. Writing the file drops the comments.
type Favourites struct {
	path string // "" is no file
	all  []Key
}

// formLegacy is the only form with a name.
const formLegacy = "legacy"

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
			f.all = append(f.all, Key{Protocol: words[0], Address: words[1]})
		case len(words) == 3 && words[2] == formLegacy:
			f.all = append(f.all, Key{Protocol: words[0], Address: words[1], Form: words[2]})
		default:
			return nil, fmt.Errorf("%s, line %d: want PROTOCOL ADDRESS, or PROTOCOL ADDRESS legacy", path, n)
		}
	}
	return f, lines.Err()
}

// All returns the favourites.
func (f *Favourites) All() []Key { return slices.Clone(f.all) }

func (f *Favourites) has(k Key) bool { return slices.Contains(f.all, k) }

// toggle adds a server or removes it, and writes the file.
func (f *Favourites) toggle(k Key) error {
	if len(strings.Fields(k.Address)) != 1 {
		return errors.New("a game that has neither address nor ID cannot be found again")
	}
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
		fmt.Fprintln(&text, k)
	}
	return files.Write(f.path, text.Bytes(), 0o666)
}
