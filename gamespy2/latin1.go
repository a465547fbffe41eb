package gamespy2

import (
	"strings"
	"unicode/utf8"
)

// Latin1 converts s from Latin-1 (ISO 8859-1) to UTF-8. Most games of this
// protocol send Latin-1 or code page 1252, which differs in the bytes 80 to 9F.
// New Minecraft servers send UTF-8.
func Latin1(s string) string {
	if strings.IndexFunc(s, func(c rune) bool { return c >= utf8.RuneSelf }) < 0 {
		return s
	}
	b := make([]byte, 0, len(s)+8)
	for _, c := range []byte(s) {
		b = utf8.AppendRune(b, rune(c))
	}
	return string(b)
}

// ToLatin1 converts s from UTF-8 to Latin-1. It returns false if s is not UTF-8 or
// has a character that is not in Latin-1.
func ToLatin1(s string) (latin1 string, ok bool) {
	b := make([]byte, 0, len(s))
	for _, c := range s {
		if c > 0xff {
			return "", false
		}
		b = append(b, byte(c))
	}
	return string(b), true
}
