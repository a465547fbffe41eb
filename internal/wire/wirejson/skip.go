package wirejson

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// skipUnchecked skips the value at the cursor, which need not be valid: it ends before a comma
// or bracket that is neither in brackets nor in quotes.
func (j *Reader) skipUnchecked() {
	p := j.r.Peek()
	depth, quoted := 0, false
	for n := 0; n < len(p); n++ {
		switch c := p[n]; {
		case quoted && c == '\\':
			n++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{', c == '[':
			depth++
		case depth == 0 && (c == ',' || c == ']' || c == '}'):
			if n == 0 {
				j.fail(wire.Invalid("is not JSON"), j.at)
			}
			j.r.Advance(n)
			return
		case c == '}', c == ']':
			depth--
		}
	}
	j.fail(lobbywire.ErrTruncated, j.at)
}

// skip skips the value at the cursor. depth is the number of arrays and objects
// around it, within the value that is being read.
func (j *Reader) skip(depth int) {
	switch j.r.SkipSpace() {
	case '"':
		j.scanString(j.at)
	case '{':
		j.skipElements('}', badObject, depth+1)
	case '[':
		j.skipElements(']', badArray, depth+1)
	case 't':
		j.word("true")
	case 'f':
		j.word("false")
	case 'n':
		j.word("null")
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		n, kind := scanNumber(j.r.Peek())
		if kind != nil {
			j.fail(kind, j.at)
			return
		}
		j.r.Advance(n)
	default:
		j.unexpected(j.at, "is not JSON")
	}
}

// Reasons for objects and arrays with other punctuation.
const (
	badObject = "has no comma, colon or quote where JSON has one"
	badArray  = "has no comma or bracket behind an element"
)

// skipElements skips an array or an object, whose first bracket is at the cursor.
func (j *Reader) skipElements(end byte, bad wire.Invalid, depth int) {
	j.r.Advance(1)
	if depth > j.maxDepth() {
		j.fail(wire.TooLarge("is nested too deep"), j.at)
		return
	}
	if j.r.SkipSpace() == end {
		j.r.Advance(1)
		return
	}
	var names map[string]bool // of an object whose names must not repeat
	if end == '}' && !j.loose {
		names = make(map[string]bool)
	}
	for {
		if end == '}' {
			j.skipName(names)
		}
		j.skip(depth)
		switch j.r.SkipSpace() {
		case ',':
			j.r.Advance(1)
		case end:
			j.r.Advance(1)
			return
		default:
			j.unexpected(j.at, bad)
			return
		}
	}
}

// skipName skips the name of a member and the colon after it. It adds the name to names,
// which is nil if names may repeat.
func (j *Reader) skipName(names map[string]bool) {
	if j.r.SkipSpace() != '"' {
		j.unexpected(j.at, badObject)
	}
	if names == nil {
		j.scanString(j.at)
	} else {
		name := j.text(j.at)
		if names[name] {
			j.Refuse("has a member twice")
		}
		names[name] = true
	}
	if j.r.SkipSpace() != ':' {
		j.unexpected(j.at, badObject)
		return
	}
	j.r.Advance(1)
}
