// Package golden loads the byte vectors under a package's testdata/golden.
//
// A vector is a .hex file as internal/hexfile reads it, with the header lines
// "Message", the type it holds, and "Source", where its bytes come from. Beside
// it stands a .json file of the decoded form.
package golden

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/internal/hexfile"
)

const dir = "testdata/golden"

// A File is one vector.
type File struct {
	Name   string            // without directory and ending
	Header map[string]string // by key: Message, Source ...
	Data   []byte
}

// Message returns the type that the vector holds.
func (f File) Message() string { return f.Header["Message"] }

// Load returns the package's vectors. It fails t if there are none.
func Load(t testing.TB) []File {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.hex"))
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Fatalf("no vectors in %s", dir)
	}
	files := make([]File, 0, len(paths))
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		f := File{Name: strings.TrimSuffix(filepath.Base(p), ".hex")}
		if f.Header, f.Data, err = hexfile.Parse(string(text)); err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		for _, key := range []string{"Message", "Source"} {
			if f.Header[key] == "" {
				t.Errorf("%s: no header line %q", p, key)
			}
		}
		files = append(files, f)
	}
	return files
}

// Read returns the bytes of one vector.
func Read(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name+".hex"))
	if err != nil {
		t.Fatal(err)
	}
	_, data, err := hexfile.Parse(string(text))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return data
}

// JSON returns the decoded form of a vector. With the environment variable
// UPDATE_GOLDEN set it writes got there first; .hex files are never written.
func JSON(t testing.TB, name string, got []byte) []byte {
	t.Helper()
	path := filepath.Join(dir, name+".json")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("%s: missing; set UPDATE_GOLDEN=1 to write it, then check it by hand", path)
	}
	if err != nil {
		t.Fatal(err)
	}
	return want
}
