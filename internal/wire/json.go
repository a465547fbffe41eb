package wire

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/lobbywire/lobbywire"
)

// MaxJSONDepth is how many arrays and objects may stand in one another in a
// value that is kept unread.
const MaxJSONDepth = 32

// maxJSONPath is how deep decoders go, in steps of a path.
const maxJSONPath = 8

// extraField is what members are called that the decoder does not know: their
// own names are bytes of the input, which errors do not hold.
const extraField = "extra"

// A JSON reads one JSON text as RFC 8259 has it, value by value. It knows the
// path to the value, as content.players[0].name, so reads need no field names.
//
// It is stricter than encoding/json: names of members have to match exactly
// and to come once, text has to be UTF-8 without lone surrogates. What is read
// is judged once it is whole: a number that the input ends in is truncated,
// whatever its digits.
type JSON struct {
	r    *Reader
	at   int // where the value read last starts
	path [maxJSONPath]jsonStep
	n    int // steps of path in use
}

// A jsonStep is a member of an object or an element of an array.
//
// It holds names by index for the sake of escape analysis: copying a text from
// where pointers lead to where pointers lead makes the Reader escape.
type jsonStep struct {
	known []string // of an object
	array bool
	index int // of the element, or in known; -1 for none, len(known) for an unknown member
}

// NewJSON returns a JSON that reads from r.
func NewJSON(r *Reader) JSON { return JSON{r: r} }

// End passes over the white space after the text and fails if more follows.
func (j *JSON) End() {
	j.space()
	j.r.In("", -1)
	if !j.r.Failed() && j.r.trace != nil {
		j.notePunctuation(j.r.off)
	}
	j.r.End()
}

// Peek returns the first byte of the value that comes next, 0 at the end. One
// byte tells what kind of value it is.
func (j *JSON) Peek() byte { return j.space() }

// Invalid fails the value that was read last.
func (j *JSON) Invalid() { j.Fail(lobbywire.ErrInvalid) }

// Fail fails the value that was read last.
func (j *JSON) Fail(kind error) { j.fail(kind, j.at) }

// At returns the offset of the value that was read last.
func (j *JSON) At() int { return j.at }

// FailMember fails the member name, at offset at, of the object that was read
// last.
func (j *JSON) FailMember(kind error, name string, at int) {
	if !j.r.Failed() {
		j.r.In(j.field(), -1)
		j.r.Fail(kind, name, at)
	}
}

// Text reads a string.
func (j *JSON) Text() string {
	if j.begin() != '"' {
		j.unexpected(j.at)
		return ""
	}
	s, ok := j.text(j.at)
	if ok && j.r.trace != nil {
		j.note(strconv.QuoteToASCII(s))
	}
	return s
}

// View reads a string without a copy: the result is part of the input, to be
// neither kept nor changed.
func (j *JSON) View() []byte {
	if j.begin() != '"' {
		j.unexpected(j.at)
		return nil
	}
	p, ok := j.view()
	if ok && j.r.trace != nil {
		j.note(strconv.QuoteToASCII(string(p)))
	}
	return p
}

// Bool reads true or false.
func (j *JSON) Bool() bool {
	switch j.begin() {
	case 't':
		return j.literal("true")
	case 'f':
		j.literal("false")
	default:
		j.unexpected(j.at)
	}
	return false
}

// Null reads null.
func (j *JSON) Null() {
	if j.begin() != 'n' {
		j.unexpected(j.at)
		return
	}
	j.literal("null")
}

// literal reads the word s, of which the first byte has been seen.
func (j *JSON) literal(s string) bool {
	ok := j.word(s)
	if ok && j.r.trace != nil {
		j.note(s)
	}
	return ok
}

// Int reads an integer from low to high. Unless plain, forms as 1.0 and 1e0
// pass.
func (j *JSON) Int(low, high int64, plain bool) int64 {
	j.begin()
	p := j.r.Peek()
	n, kind := scanNumber(p)
	if kind == nil && n == len(p) && j.n > 0 {
		kind = lobbywire.ErrTruncated // more digits may follow
	}
	if kind != nil {
		j.fail(kind, j.at)
		return 0
	}
	v, ok := parseInt(p[:n], plain)
	if !ok || v < low || v > high {
		j.Invalid()
		return 0
	}
	j.r.off += n
	if j.r.trace != nil {
		j.note(string(p[:n]))
	}
	return v
}

// Raw reads a value of any kind and returns a copy of its bytes.
func (j *JSON) Raw() json.RawMessage { return bytes.Clone(j.Skip()) }

// Skip passes over a value of any kind. The result is part of the input, to be
// neither kept nor changed.
func (j *JSON) Skip() []byte {
	j.begin()
	if !j.skip(0) {
		return nil
	}
	p := j.r.b[j.at:j.r.off]
	if j.r.trace != nil {
		j.note(strconv.QuoteToASCII(string(p)))
	}
	return p
}

// step returns the last step of the path.
func (j *JSON) step() *jsonStep { return &j.path[j.n-1] }

// push adds a step to the path.
func (j *JSON) push(s jsonStep) {
	j.path[j.n] = s
	j.n++
}

// field returns the path in the form of lobbywire.Error.
func (j *JSON) field() string {
	var p []byte
	for _, s := range j.path[:j.n] {
		switch {
		case s.index < 0:
			continue
		case s.array:
			p = append(p, '[')
			p = strconv.AppendInt(p, int64(s.index), 10)
			p = append(p, ']')
			continue
		case len(p) > 0:
			p = append(p, '.')
		}
		if s.index < len(s.known) {
			p = append(p, s.known[s.index]...)
		} else {
			p = append(p, extraField...)
		}
	}
	return string(p)
}

// fail records a failure of the value that the path leads to.
func (j *JSON) fail(kind error, at int) {
	if !j.r.Failed() {
		if j.r.trace != nil {
			j.notePunctuation(at)
		}
		j.r.In(j.field(), -1)
		j.r.Fail(kind, "", at)
	}
}

// unexpected fails what starts at at, for the byte that comes next.
func (j *JSON) unexpected(at int) {
	kind := lobbywire.ErrInvalid
	if j.r.Len() == 0 {
		kind = lobbywire.ErrTruncated
	}
	j.fail(kind, at)
}

// begin goes to the start of a value and returns its first byte.
func (j *JSON) begin() byte {
	c := j.space()
	j.at = j.r.off
	return c
}

// note tells the trace of the value read last.
func (j *JSON) note(value string) {
	j.notePunctuation(j.at)
	j.r.In(j.field(), -1)
	j.r.trace.note(j.r, j.r.off-j.at, "", value)
}

// notePunctuation tells the trace of what stands between values, up to to.
func (j *JSON) notePunctuation(to int) {
	t := j.r.trace
	if t.end < to {
		p := j.r.b[t.end:to]
		t.fields = append(t.fields, lobbywire.Field{
			Name:   "json",
			Offset: t.end,
			Length: len(p),
			Value:  strconv.QuoteToASCII(string(p)),
		})
		t.end = to
	}
}
