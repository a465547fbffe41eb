package wire

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire"
)

// space skips white space and returns the next byte, 0 at the end.
func (j *JSON) space() byte {
	r := j.r
	for r.off < r.end {
		switch c := r.b[r.off]; c {
		case ' ', '\t', '\n', '\r':
			r.off++
		default:
			return c
		}
	}
	return 0
}

// word skips s, whose first byte has been checked.
func (j *JSON) word(s string) bool {
	p := j.r.Peek()
	n := min(len(p), len(s))
	switch {
	case string(p[:n]) != s[:n]:
		j.fail(Invalid("is not true, false or null"), j.at)
		return false
	case n < len(s):
		j.fail(lobbywire.ErrTruncated, j.at)
		return false
	}
	j.r.off += n
	return true
}

// text reads the string at the cursor, part of the value at offset at.
func (j *JSON) text(at int) (s string, ok bool) {
	r := j.r
	from := r.off + 1
	escaped, ok := j.scanString(at)
	switch {
	case !ok:
		return "", false
	case escaped:
		return string(unquote(r.b[from : r.off-1])), true
	}
	return r.copied(from, r.off-1), true
}

// view reads the string at the cursor. The result is part of the input unless
// there are escapes in it.
func (j *JSON) view() (p []byte, ok bool) {
	from := j.r.off + 1
	escaped, ok := j.scanString(j.r.off)
	if !ok {
		return nil, false
	}
	p = j.r.b[from : j.r.off-1]
	if escaped {
		p = unquote(p)
	}
	return p, true
}

// scanString skips the string at the cursor and reports whether it has escapes.
func (j *JSON) scanString(at int) (escaped, ok bool) {
	b := j.r.b[:j.r.end]
	for i := j.r.off + 1; i < len(b); {
		c := b[i]
		if c >= ' ' && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
		n, kind := 1, error(nil)
		switch {
		case c == '"':
			j.r.off = i + 1
			return escaped, true
		case c == '\\':
			n, kind = scanEscape(b[i:])
			escaped = true
		case c < ' ':
			kind = Invalid("contains a control character")
		default:
			n, kind = scanRune(b[i:])
		}
		if kind != nil {
			j.fail(kind, at)
			return false, false
		}
		i += n
	}
	j.fail(lobbywire.ErrTruncated, at)
	return false, false
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
	return 0, Invalid(notUTF8)
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
		return 0, Invalid("has an unknown escape")
	}
	low, high, ok := hexRange(p[2:])
	switch {
	case !ok:
		return 0, Invalid("has an escape without four hexadecimal digits")
	case low >= lowSurrogate && high <= lastSurrogate:
		return 0, Invalid(loneSurrogate)
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
			return 0, Invalid(loneSurrogate)
		}
	}
	low, high, ok = hexRange(p[8:])
	switch {
	case !ok || high < lowSurrogate || low > lastSurrogate:
		return 0, Invalid(loneSurrogate)
	case low < high:
		return 0, lobbywire.ErrTruncated
	}
	return 12, nil
}

// hexRange returns the range of numbers of four hexadecimal digits that start with
// the digits in p; a single number if p has all four. It is not ok if p starts with
// anything else.
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
		p = p[i:]
		c, size := p[1], 2
		switch c {
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		case 'u':
			u, _, _ := hexRange(p[2:6])
			size = 6
			if utf16.IsSurrogate(u) {
				low, _, _ := hexRange(p[8:12])
				u = utf16.DecodeRune(u, low)
				size = 12
			}
			s = utf8.AppendRune(s, u)
			p = p[size:]
			continue
		}
		s = append(s, c)
		p = p[size:]
	}
}
