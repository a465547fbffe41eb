// Package hexfile reads annotated hexadecimal, the form of golden files and of the output
// of lobbywire.Explanation.Annotate: bytes in hexadecimal, with any blanks, and comments
// from # to the end of a line. The header consists of the comments before the first byte
// that have the form "# Key: value", with a capital letter first.
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
		key, value, ok := strings.Cut(strings.TrimSpace(comment), ": ")
		if ok && digits == "" && len(data) == 0 && key != "" && 'A' <= key[0] && key[0] <= 'Z' {
			header[key] = strings.TrimSpace(value)
		}
		data = append(data, b...)
	}
	return header, data, nil
}
