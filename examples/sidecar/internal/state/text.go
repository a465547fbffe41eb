package state

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire"
)

// legible returns a JSON text whose strings are UTF-8: a string that is not is read as
// Windows-1252, see [lobbywire.UTF8]. It fails at an escape of half a surrogate pair, which
// is not a character: with a replacement, two names could become equal.
func legible(text []byte) ([]byte, error) {
	if utf8.Valid(text) && !bytes.Contains(text, []byte(`\u`)) {
		return text, nil
	}
	read := make([]byte, 0, len(text))
	for at := 0; at < len(text); {
		end := at + 1
		if text[at] == '"' {
			end = stringEnd(text, at)
			if half := halfPair(text[at:end]); half >= 0 {
				return nil, fmt.Errorf("byte %d: half of a surrogate pair is no character", at+half)
			}
			read = append(read, lobbywire.UTF8(string(text[at:end]))...)
		} else {
			read = append(read, text[at])
		}
		at = end
	}
	return read, nil
}

// stringEnd returns the offset after the string that starts at a quotation mark, or the
// length of text if the string does not end.
func stringEnd(text []byte, start int) int {
	for i := start + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// halfPair returns the offset of the first escape in a string that is half of a surrogate
// pair, or -1.
func halfPair(text []byte) int {
	for i := 0; i+1 < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		first := escaped(text[i:])
		switch {
		case !utf16.IsSurrogate(first):
			i++ // what is escaped may be a backslash
		case utf16.DecodeRune(first, escaped(text[i+escapeSize:])) == utf8.RuneError:
			return i
		default:
			i += 2*escapeSize - 1
		}
	}
	return -1
}

const escapeSize = len(`\ud83d`)

// escaped returns the code unit of the escape at the start of text, or 0.
func escaped(text []byte) rune {
	if len(text) < escapeSize || text[0] != '\\' || text[1] != 'u' {
		return 0
	}
	n, err := strconv.ParseUint(string(text[2:escapeSize]), 16, 16)
	if err != nil {
		return 0
	}
	return rune(n)
}
