//go:build unix

package files_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/files"
)

// Only regular files are read, also through links, and up to the limit. Opening a pipe does not
// wait for its other end.
func TestReadRegularReadsOnlyRegularFiles(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(os.WriteFile(at("file"), []byte("12345"), 0o600), syscall.Mkfifo(at("pipe"), 0o600),
		os.Symlink("pipe", at("to-pipe")), os.Symlink("file", at("to-file"))); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		path, want string
		most       int64
	}{
		{at("file"), "", 5},
		{at("to-file"), "", 6},
		{at("file"), "more than 4 bytes", 4},
		{at("pipe"), "not a regular file", 5},
		{at("to-pipe"), "not a regular file", 5},
		{dir, "not a regular file", 5},
		{os.DevNull, "not a regular file", 5},
		{at("none"), "no such file", 5},
	} {
		b, err := files.ReadRegular(tt.path, tt.most)
		switch {
		case tt.want == "" && (err != nil || string(b) != "12345"):
			t.Errorf("%s: %q, %v", tt.path, b, err)
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: %v, want %q", tt.path, err, tt.want)
		}
	}
	if _, err := files.OpenRegular(at("pipe"), os.O_RDWR); err == nil {
		t.Error("a pipe is opened to write")
	}
}
