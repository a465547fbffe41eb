// Package golden loads golden files from the directory testdata/golden of a package.
//
// A golden file is a .hex file in the format of internal/hexfile. Its header has the
// lines Message (the type), Direction (sender and receiver), Shows (the purpose) and
// Source (the origin of the bytes). A .json file of the same name has the decoded form.
// README.md describes both for programs in other languages, and index.tsv lists all.
package golden

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/hexfile"
)

// Dir is the directory of the golden files of a package.
const Dir = "testdata/golden"

// Root returns the directory of the module.
func Root() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "..")
}

// A File is a golden file.
type File struct {
	Name   string            // without directory and ending
	Header map[string]string // by key: Message, Direction, Shows, Source ...
	Body   string            // the text after the header
	Data   []byte
}

// Message returns the type of the message.
func (f File) Message() string { return f.Header["Message"] }

// Load returns the golden files of the package. It fails t if there are none.
func Load(t testing.TB) []File {
	t.Helper()
	files, err := ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// ReadDir returns the golden files of the package in a directory, sorted by name. It
// fails if there are none.
func ReadDir(pkg string) ([]File, error) {
	paths, err := filepath.Glob(filepath.Join(pkg, Dir, "*.hex"))
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("no golden files in %s", filepath.Join(pkg, Dir))
	}
	files := make([]File, len(paths))
	for i, p := range paths {
		files[i], err = readFile(p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p, err)
		}
	}
	return files, nil
}

func readFile(path string) (File, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return File{}, err
	}
	header, data, err := hexfile.Parse(string(text))
	if err != nil {
		return File{}, err
	}
	for _, key := range []string{"Message", "Direction", "Shows", "Source"} {
		if header[key] == "" {
			return File{}, fmt.Errorf("no header line %q", key)
		}
	}
	lines := strings.SplitAfter(string(text), "\n")
	return File{
		Name:   strings.TrimSuffix(filepath.Base(path), ".hex"),
		Header: header,
		Body:   strings.Join(lines[len(header):], ""),
		Data:   data,
	}, nil
}

// Packages returns the packages with golden files below root, the directory of
// the module, as slash-separated paths.
func Packages(root string) ([]string, error) {
	var pkgs []string
	for _, pattern := range []string{"*/" + Dir, "*/*/" + Dir} {
		dirs, err := fs.Glob(os.DirFS(root), pattern)
		if err != nil {
			return nil, err
		}
		for _, d := range dirs {
			pkgs = append(pkgs, strings.TrimSuffix(d, "/"+Dir))
		}
	}
	slices.Sort(pkgs)
	return pkgs, nil
}

// Read returns the bytes of a golden file.
func Read(t testing.TB, name string) []byte {
	t.Helper()
	f, err := readFile(filepath.Join(Dir, name+".hex"))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return f.Data
}

// JSON returns the decoded form of a golden file. If the environment variable
// UPDATE_GOLDEN is set, it first writes got there. It never writes .hex files.
func JSON(t testing.TB, name string, got []byte) []byte {
	t.Helper()
	return expected(t, filepath.Join(Dir, name+".json"), got)
}

// An Error is the JSON form of the error of a decoder.
type Error struct {
	Error  string // the kind
	Field  string
	Offset int
}

// ErrorOf returns the JSON form of e.
func ErrorOf(e *lobbywire.Error) Error {
	kind := e.Err
	if wrapped := errors.Unwrap(kind); wrapped != nil {
		kind = wrapped
	}
	return Error{kind.Error(), e.Field, e.Offset}
}

// Views returns the views of all golden files of the package, as [JSON] does.
func Views(t testing.TB, got []byte) []byte {
	t.Helper()
	return expected(t, filepath.Join(filepath.Dir(Dir), "views.json"), got)
}

// Updates reports whether UPDATE_GOLDEN is set, so that tests write the files that they
// otherwise compare.
func Updates() bool { return os.Getenv("UPDATE_GOLDEN") != "" }

// expected returns the contents of a file. If UPDATE_GOLDEN is set, it first writes got
// there.
func expected(t testing.TB, path string, got []byte) []byte {
	t.Helper()
	if Updates() {
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
