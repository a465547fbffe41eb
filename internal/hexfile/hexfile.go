// Package hexfile reads annotated hexadecimal, the form of golden files and of
// what lobbywire.Explanation.Annotate writes: bytes in hexadecimal, with blanks
// as one likes and comments from # to the end of a line. Comment lines of the
// form "# Key: value" before the first byte are the header.
package hexfile

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// Parse returns the header and the bytes of text.
func Parse(text string) (header map[string]string, data []byte, err error) {
	header = map[string]string{}
	for i, line := range strings.Split(text, "\n") {
		digits, comment, _ := strings.Cut(line, "#")
		digits = strings.Join(strings.Fields(digits), "")
		b, err := hex.DecodeString(digits)
		if err != nil {
			return nil, nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		if key, value, ok := strings.Cut(comment, ": "); ok && digits == "" && len(data) == 0 {
			header[strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
		data = append(data, b...)
	}
	return header, data, nil
}
