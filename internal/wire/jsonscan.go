package wire

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire"
)

// space passes over white space and returns the byte that follows, 0 at the
// end.
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

// word passes over s, of which the first byte has been seen.
func (j *JSON) word(s string) bool {
	p := j.r.Peek()
	n := min(len(p), len(s))
	switch {
	case string(p[:n]) != s[:n]:
		j.fail(lobbywire.ErrInvalid, j.at)
		return false
	case n < len(s):
		j.fail(lobbywire.ErrTruncated, j.at)
		return false
	}
	j.r.off += n
	return true
}

// text reads the string at the cursor, which belongs to what starts at at.
func (j *JSON) text(at int) (s string, ok bool) {
	r := j.r
	from := r.off + 1
	escaped, ok := j.scanString(at)
	switch {
	case !ok || from == r.off-1:
		return "", ok
	case escaped:
		return string(unquote(r.b[from : r.off-1])), true
	case r.text == "":
		r.text = string(r.b)
	}
	return r.text[from : r.off-1], true
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

// scanString passes over the string at the cursor and tells whether there are
// escapes in it.
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
			kind = lobbywire.ErrInvalid
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

// scanRune returns the size of the character that p starts with.
func scanRune(p []byte) (n int, kind error) {
	c, n := utf8.DecodeRune(p)
	switch {
	case c != utf8.RuneError || n > 1:
		return n, nil
	case !utf8.FullRune(p):
		return 0, lobbywire.ErrTruncated
	}
	return 0, lobbywire.ErrInvalid
}

// The surrogates of UTF-16: a high one and a low one make a character.
const (
	highSurrogate = 0xd800
	lowSurrogate  = 0xdc00
	lastSurrogate = 0xdfff
)

// scanEscape returns the size of the escape that p starts with. Two that are a
// surrogate pair count as one.
func scanEscape(p []byte) (n int, kind error) {
	if len(p) < 2 {
		return 0, lobbywire.ErrTruncated
	}
	switch p[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2, nil
	case 'u':
	default:
		return 0, lobbywire.ErrInvalid
	}
	low, high, ok := hexRange(p[2:])
	switch {
	case !ok || low >= lowSurrogate && high <= lastSurrogate:
		return 0, lobbywire.ErrInvalid
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
			return 0, lobbywire.ErrInvalid
		}
	}
	low, high, ok = hexRange(p[8:])
	switch {
	case !ok || high < lowSurrogate || low > lastSurrogate:
		return 0, lobbywire.ErrInvalid
	case low < high:
		return 0, lobbywire.ErrTruncated
	}
	return 12, nil
}

// hexRange returns the least and the greatest number that four hexadecimal
// digits may be of which p holds the first ones: one number if it holds all.
// It is not ok if p starts with something else.
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

// unquote returns what stands between the quotes of a string that scanString
// has passed, without escapes.
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

// scanNumber returns the size of the number that p starts with.
func scanNumber(p []byte) (n int, kind error) {
	if n < len(p) && p[n] == '-' {
		n++
	}
	from := n
	if n, kind = scanDigits(p, n); kind != nil {
		return 0, kind
	}
	if p[from] == '0' && n > from+1 {
		return 0, lobbywire.ErrInvalid
	}
	if n < len(p) && p[n] == '.' {
		if n, kind = scanDigits(p, n+1); kind != nil {
			return 0, kind
		}
	}
	if n < len(p) && p[n]|0x20 == 'e' {
		n++
		if n < len(p) && (p[n] == '+' || p[n] == '-') {
			n++
		}
		if n, kind = scanDigits(p, n); kind != nil {
			return 0, kind
		}
	}
	return n, nil
}

// scanDigits returns where the digits end that start at p[n], of which there
// has to be one.
func scanDigits(p []byte, n int) (end int, kind error) {
	for end = n; end < len(p) && p[end] >= '0' && p[end] <= '9'; end++ {
	}
	switch {
	case end > n:
		return end, nil
	case end == len(p):
		return 0, lobbywire.ErrTruncated
	}
	return 0, lobbywire.ErrInvalid
}

// parseInt returns the value of a number that scanNumber has passed, if it is
// an integer of 64 bits. Unless plain, it may have a fraction and an exponent.
func parseInt(p []byte, plain bool) (v int64, ok bool) {
	if v, ok := parsePlainInt(p); ok || plain {
		return v, ok
	}
	text, exponent, _ := strings.Cut(strings.ToLower(string(p)), "e")
	text, negative := strings.CutPrefix(text, "-")
	whole, fraction, _ := strings.Cut(text, ".")
	point := len(whole)
	digits := strings.TrimRight(whole+fraction, "0")
	if digits == "" {
		return 0, true
	}
	if exponent != "" {
		e, err := strconv.Atoi(exponent)
		if err != nil {
			return 0, false
		}
		point += e
	}
	// The last digit is not zero, so it has to stand before the point.
	const maxDigits = 19
	significant := strings.TrimLeft(digits, "0")
	zeros := point - len(digits)
	if zeros < 0 || zeros > maxDigits || len(significant)+zeros > maxDigits {
		return 0, false
	}
	text = significant + strings.Repeat("0", zeros)
	if negative {
		text = "-" + text
	}
	v, err := strconv.ParseInt(text, 10, 64)
	return v, err == nil
}

// parsePlainInt is parseInt for digits after a minus or none. It takes only as
// many digits as cannot overflow, which are 18.
func parsePlainInt(p []byte) (v int64, ok bool) {
	digits := p
	if p[0] == '-' {
		digits = p[1:]
	}
	if len(digits) > 18 {
		v, err := strconv.ParseInt(string(p), 10, 64)
		return v, err == nil
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = v*10 + int64(c-'0')
	}
	if len(digits) < len(p) {
		v = -v
	}
	return v, true
}

// skip passes over the value at the cursor, which is in depth arrays and
// objects of the value that is being read.
func (j *JSON) skip(depth int) bool {
	r := j.r
	switch j.space() {
	case '"':
		_, ok := j.scanString(j.at)
		return ok
	case '{':
		return j.skipObject(depth + 1)
	case '[':
		return j.skipArray(depth + 1)
	case 't':
		return j.word("true")
	case 'f':
		return j.word("false")
	case 'n':
		return j.word("null")
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		n, kind := scanNumber(r.Peek())
		if kind != nil {
			j.fail(kind, j.at)
			return false
		}
		r.off += n
		return true
	}
	j.unexpected(j.at)
	return false
}

// enter passes over a bracket and fails if it is one too deep.
func (j *JSON) enter(depth int) bool {
	j.r.off++
	if depth > MaxJSONDepth {
		j.fail(lobbywire.ErrTooLarge, j.at)
		return false
	}
	return true
}

func (j *JSON) skipArray(depth int) bool {
	if !j.enter(depth) {
		return false
	}
	if j.space() == ']' {
		j.r.off++
		return true
	}
	for j.skip(depth) {
		switch j.space() {
		case ',':
			j.r.off++
		case ']':
			j.r.off++
			return true
		default:
			j.unexpected(j.at)
			return false
		}
	}
	return false
}

func (j *JSON) skipObject(depth int) bool {
	if !j.enter(depth) {
		return false
	}
	if j.space() == '}' {
		j.r.off++
		return true
	}
	var names nameSet
	for {
		if j.space() != '"' {
			break
		}
		name, ok := j.text(j.at)
		if !ok {
			return false
		}
		if !names.add(name) {
			j.Invalid()
			return false
		}
		if j.space() != ':' {
			break
		}
		j.r.off++
		if !j.skip(depth) {
			return false
		}
		switch j.space() {
		case ',':
			j.r.off++
			continue
		case '}':
			j.r.off++
			return true
		}
		break
	}
	j.unexpected(j.at)
	return false
}

// A nameSet holds the names of members that have come. Most objects have few.
type nameSet struct {
	few  [8]string
	n    int
	many map[string]bool // the rest
}

// add tells whether name is new.
func (s *nameSet) add(name string) bool {
	for _, old := range s.few[:s.n] {
		if old == name {
			return false
		}
	}
	if s.n < len(s.few) {
		s.few[s.n] = name
		s.n++
		return true
	}
	if s.many[name] {
		return false
	}
	if s.many == nil {
		s.many = make(map[string]bool)
	}
	s.many[name] = true
	return true
}
