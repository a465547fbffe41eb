package files_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/lobbywire/lobbywire/examples/internal/files"
)

func TestTextReadsByteOrderMarks(t *testing.T) {
	for in, want := range map[string]string{
		"":                      "",
		"a":                     "a",
		"ö\r\n":                 "ö\r\n",
		"\xff":                  "\xff", // not a mark
		"a\xef\xbb\xbf":         "a\ufeff",
		"\xef\xbb\xbf":          "",
		"\xef\xbb\xbfö":         "ö",
		"\xff\xfea\x00\xf6\x00": "aö",
		"\xfe\xff\x00a\x00\xf6": "aö",
	} {
		name := filepath.Join(t.TempDir(), "text")
		if err := os.WriteFile(name, []byte(in), 0o600); err != nil {
			t.Fatal(err)
		}
		b, err := files.ReadText(name)
		if string(b) != want || err != nil {
			t.Errorf("%q is read as %q, %v", in, b, err)
		}
		b, err = io.ReadAll(files.Text(iotest.OneByteReader(strings.NewReader(in))))
		if string(b) != want || err != nil {
			t.Errorf("%q is read in parts as %q, %v", in, b, err)
		}
	}
	if _, err := files.ReadText(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	broken := errors.New("broken")
	cut := io.MultiReader(strings.NewReader("text"), iotest.ErrReader(broken))
	if b, err := io.ReadAll(files.Text(cut)); string(b) != "text" || err != broken {
		t.Errorf("a broken file: %q, %v", b, err)
	}
}
