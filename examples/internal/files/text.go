package files

import (
	"io"
	"os"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Text reads a text that a person or a program on Windows may have written: in UTF-8 or, if it
// begins with such a byte order mark, in UTF-16. The result is UTF-8 without the mark.
func Text(r io.Reader) io.Reader {
	return transform.NewReader(r, unicode.BOMOverride(transform.Nop))
}

// ReadText returns the content of a file, as Text reads it.
func ReadText(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(Text(f))
}
