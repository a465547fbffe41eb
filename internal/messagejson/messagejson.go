// Package messagejson converts messages to JSON and back without loss. Golden files and
// the programs gamequery and lobbyd use this form.
package messagejson

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// latin1Key is the member that lists the strings that are Latin-1.
const latin1Key = "latin1"

// keyOf converts a Go field name to a key: ServerName to serverName, BuildID to
// buildId, MOTD to motd.
func keyOf(name string) string {
	runes := []rune(name)
	var s strings.Builder
	for i, c := range runes {
		startsWord := i > 0 && unicode.IsUpper(c) &&
			(!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		if startsWord {
			s.WriteRune(c)
		} else {
			s.WriteRune(unicode.ToLower(c))
		}
	}
	return s.String()
}

// fromLatin1 makes each byte of s the character of that number.
func fromLatin1(s string) string {
	b := make([]byte, 0, 2*len(s))
	for i := range len(s) {
		b = utf8.AppendRune(b, rune(s[i]))
	}
	return string(b)
}

// toLatin1 undoes fromLatin1. It fails if a character is not Latin-1.
func toLatin1(s string) (string, bool) {
	b := make([]byte, 0, len(s))
	for _, c := range s {
		if c > 0xff {
			return "", false
		}
		b = append(b, byte(c))
	}
	return string(b), true
}

// errorAt returns an error about the value at the JSON pointer at.
func errorAt(at, format string, args ...any) error {
	return fmt.Errorf("JSON value %q: %s", at, fmt.Sprintf(format, args...))
}
