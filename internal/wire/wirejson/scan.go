package wirejson

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// word skips s, whose first byte has been checked.
func (j *Reader) word(s string) {
	p := j.r.Peek()
	n := min(len(p), len(s))
	switch {
	case string(p[:n]) != s[:n]:
		j.fail(wire.Invalid("is not true, false or null"), j.at)
	case n < len(s):
		j.fail(lobbywire.ErrTruncated, j.at)
	default:
		j.r.Advance(n)
	}
}

// text reads the string at the cursor, part of the value at offset at.
func (j *Reader) text(at int) string {
	p, escaped := j.scanString(at)
	if escaped {
		return string(unquote(p))
	}
	end := j.r.Offset() - 1
	return j.r.TextBetween(end-len(p), end)
}

// view reads the string at the cursor. The result is part of the input unless
// there are escapes in it.
func (j *Reader) view() []byte {
	p, escaped := j.scanString(j.r.Offset())
	if escaped {
		return unquote(p)
	}
	return p
}

// scanString reads the string at the cursor, part of the value at offset at. It returns
// the bytes between the quotes and reports whether they have escapes.
func (j *Reader) scanString(at int) (p []byte, escaped bool) {
	b := j.r.Peek()
	if len(b) == 0 || b[0] != '"' {
		j.unexpected(at, "is not a string")
		return nil, false
	}
	for i := 1; i < len(b); {
		i += plainSize(b[i:])
		if i == len(b) {
			break
		}
		c := b[i]
		n, kind := 1, error(nil)
		switch {
		case c == '"':
			j.r.Advance(i + 1)
			return b[1:i:i], escaped
		case c == '\\':
			n, kind = scanEscape(b[i:])
			escaped = true
		case c < ' ':
			kind = wire.Invalid("contains a control character")
		default:
			n, kind = scanRune(b[i:])
		}
		if kind != nil {
			j.fail(kind, at)
			return nil, false
		}
		i += n
	}
	j.fail(lobbywire.ErrTruncated, at)
	return nil, false
}

// plainSize returns how many bytes at the start of p stand for themselves in a JSON string:
// ASCII without control characters, quotes and backslashes.
func plainSize(p []byte) int {
	for i, c := range p {
		if c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			return i
		}
	}
	return len(p)
}

// scanRune returns the size of the character at the start of p.
func scanRune(p []byte) (n int, kind error) {
	c, n := utf8.DecodeRune(p)
	switch {
	case c != utf8.RuneError || n > 1:
		return n, nil
	case !utf8.FullRune(p):
		return 0, lobbywire.ErrTruncated
	}
	return 0, wire.Invalid(wire.NotUTF8)
}

// The surrogates of UTF-16: a high one and a low one make a character.
const (
	highSurrogate = 0xd800
	lowSurrogate  = 0xdc00
	lastSurrogate = 0xdfff
)

// loneSurrogate is the reason for half of a pair of surrogates.
const loneSurrogate = "has half of a pair of surrogates"

// scanEscape returns the size of the escape at the start of p. A surrogate pair is
// one escape.
func scanEscape(p []byte) (n int, kind error) {
	if len(p) < 2 {
		return 0, lobbywire.ErrTruncated
	}
	switch p[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2, nil
	case 'u':
	default:
		return 0, wire.Invalid("has an unknown escape")
	}
	low, high, ok := hexRange(p[2:])
	switch {
	case !ok:
		return 0, wire.Invalid("has an escape without four hexadecimal digits")
	case low >= lowSurrogate && high <= lastSurrogate:
		return 0, wire.Invalid(loneSurrogate)
	case low < high:
		return 0, lobbywire.ErrTruncated
	case low < highSurrogate || low > lastSurrogate:
		return 6, nil
	}
	for i, c := range []byte(`\u`) {
		if len(p) <= 6+i {
			return 0, lobbywire.ErrTruncated
		}
		if p[6+i] != c {
			return 0, wire.Invalid(loneSurrogate)
		}
	}
	low, high, ok = hexRange(p[8:])
	switch {
	case !ok || high < lowSurrogate || low > lastSurrogate:
		return 0, wire.Invalid(loneSurrogate)
	case low < high:
		return 0, lobbywire.ErrTruncated
	}
	return 12, nil
}

// hexRange returns the range of numbers of four hexadecimal digits that start with the
// digits in p; a single number if p has all four. If p starts with anything else, ok is
// false.
func hexRange(p []byte) (low, high rune, ok bool) {
	for i := range 4 {
		low, high = low<<4, high<<4|15
		if i >= len(p) {
			continue
		}
		var d rune
		switch c := p[i]; {
		case c >= '0' && c <= '9':
			d = rune(c - '0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			d = rune(c|0x20-'a') + 10
		default:
			return 0, 0, false
		}
		low |= d
		high = high&^15 | d
	}
	return low, high, true
}

// The characters that have an escape of two bytes, and the second of these.
const (
	shortEscaped = "\b\f\n\r\t\"\\"
	shortEscapes = `bfnrt"\`
)

// unquote returns the text between the quotes of a string that scanString accepts,
// without escapes.
func unquote(p []byte) []byte {
	s := make([]byte, 0, len(p))
	for {
		i := bytes.IndexByte(p, '\\')
		if i < 0 {
			return append(s, p...)
		}
		s = append(s, p[:i]...)
		c, size := rune(p[i+1]), 2
		if c == 'u' {
			c, _, _ = hexRange(p[i+2 : i+6])
			size = 6
			if utf16.IsSurrogate(c) {
				low, _, _ := hexRange(p[i+8 : i+12])
				c = utf16.DecodeRune(c, low)
				size = 12
			}
		} else if k := strings.IndexByte(shortEscapes, byte(c)); k >= 0 {
			c = rune(shortEscaped[k])
		}
		s = utf8.AppendRune(s, c)
		p = p[i+size:]
	}
}
