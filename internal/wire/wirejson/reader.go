// Package wirejson reads and writes JSON with the Reader and the Writer of package wire, for the
// codecs whose messages are JSON.
package wirejson

import (
	"bytes"
	"encoding/json"
	"net/netip"
	"strconv"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// MaxDepth is the maximum nesting of arrays and objects in a value that is
// kept undecoded.
const MaxDepth = 32

// MaxLooseDepth is the same for a Reader from NewLooseReader.
const MaxLooseDepth = 1000

// maxPath is the maximum depth of decoders, in steps of a path.
const maxPath = 8

// extraField stands for the names of unknown members in errors, since errors
// contain no bytes of the input.
const extraField = "extra"

// A Reader reads one JSON text (RFC 8259), value by value. It keeps the path to the
// value, such as content.players[0].name, so its methods need no field names.
//
// It is stricter than encoding/json: the names of members must match exactly and must not
// repeat, and text must be UTF-8 without lone surrogates. A value is checked once it is
// complete, so a number at the end of the input is always truncated: more digits may
// follow.
type Reader struct {
	r        *wire.Reader
	loose    bool // names may repeat
	repeated bool // a name has repeated
	peeks    bool // values that are skipped are not checked
	at       int  // offset of the value that was read last
	path     [maxPath]step
	n        int // steps of path in use
}

// A step is a member of an object or an element of an array.
//
// It has an index instead of a name, because copying a string from one pointer's
// target to another's would make the [wire.Reader] escape to the heap.
type step struct {
	known []string // of an object
	array bool
	index int // of the element, or in known; -1 for none, len(known) for an unknown member
}

// NewReader returns a Reader of the text at which r is.
func NewReader(r *wire.Reader) Reader { return Reader{r: r} }

// NewLooseReader returns a Reader that reads objects as most programs do: of members with the
// same name, the last one counts. Each of them must be valid. Values that are kept
// undecoded can be nested to [MaxLooseDepth].
func NewLooseReader(r *wire.Reader) Reader { return Reader{r: r, loose: true} }

// NewPeekReader returns a Reader that looks for some members: it does not check what it skips.
func NewPeekReader(r *wire.Reader) Reader { return Reader{r: r, peeks: true} }

// maxDepth returns the maximum nesting of a value that is kept undecoded.
func (j *Reader) maxDepth() int {
	if j.loose {
		return MaxLooseDepth
	}
	return MaxDepth
}

// End skips the white space after the text and fails if other bytes follow.
func (j *Reader) End() {
	j.r.SkipSpace()
	j.r.In("", -1)
	if !j.r.Failed() {
		j.notePunctuation(j.r.Offset())
	}
	j.r.End()
}

// Peek returns the first byte of the next value, which determines its kind, and 0
// at the end.
func (j *Reader) Peek() byte { return j.r.SkipSpace() }

// Refuse fails the value that was read last and gives the reason.
func (j *Reader) Refuse(reason string) { j.Fail(wire.Invalid(reason)) }

// Fail fails the value that was read last.
func (j *Reader) Fail(kind error) { j.fail(kind, j.at) }

// Check fails the value that was read last with kind unless ok is set.
func (j *Reader) Check(ok bool, kind error) {
	if !ok {
		j.Fail(kind)
	}
}

// At returns the offset of the value that was read last.
func (j *Reader) At() int { return j.at }

// FailMember fails the member name, at offset at, of the object that was read
// last.
func (j *Reader) FailMember(kind error, name string, at int) {
	if !j.r.Failed() {
		j.r.In(j.field(), -1)
		j.r.Fail(kind, name, at)
	}
}

// Text reads a string.
func (j *Reader) Text() string {
	j.begin()
	s := j.text(j.at)
	noteText(j, s)
	return s
}

// View reads a string without a copy. The result may be part of the input, so
// callers must neither keep nor change it.
func (j *Reader) View() []byte {
	j.begin()
	p := j.view()
	noteText(j, p)
	return p
}

// notAddr is the reason for refusing an address.
const notAddr = "is not an IP address without a zone"

// Addr reads a string with an IP address without a zone.
func (j *Reader) Addr() netip.Addr {
	a, err := netip.ParseAddr(j.Text())
	if err != nil || a.Zone() != "" {
		j.Refuse(notAddr)
	}
	return a
}

// Bool reads true or false.
func (j *Reader) Bool() bool {
	switch j.begin() {
	case 't':
		return j.literal("true")
	case 'f':
		j.literal("false")
	default:
		j.unexpected(j.at, "is not true or false")
	}
	return false
}

// Null reads null.
func (j *Reader) Null() {
	if j.begin() != 'n' {
		j.unexpected(j.at, "is not null")
		return
	}
	j.literal("null")
}

// literal reads the word s, whose first byte has been checked. It reports whether it is
// there.
func (j *Reader) literal(s string) bool {
	j.word(s)
	j.noteVerbatim()
	return !j.r.Failed()
}

// Int reads an integer from low to high. Forms such as 1.0 and 1e0 pass unless
// plain.
func (j *Reader) Int(low, high int64, plain bool) int64 {
	p := j.number()
	if p == nil {
		return 0
	}
	v, ok := parseInt(p, plain)
	switch {
	case !ok:
		j.Refuse("is not an integer of 64 bits")
		return 0
	case v < low || v > high:
		j.Fail(wire.Outside(low, high))
		return 0
	}
	j.r.Advance(len(p))
	j.noteVerbatim()
	return v
}

// Cast reads a number, or true or false as 1 or 0, and returns its integer part modulo 2 to
// the power of 64, as a conversion in C++ does. The integer part must fit in 64 bits.
func (j *Reader) Cast() uint64 {
	if c := j.Peek(); c == 't' || c == 'f' {
		if j.Bool() {
			return 1
		}
		return 0
	}
	p := j.number()
	if p == nil {
		return 0
	}
	v, ok := castNumber(p)
	if !ok {
		j.Refuse("has an integer part of more than 64 bits")
		return 0
	}
	j.r.Advance(len(p))
	j.noteVerbatim()
	return v
}

// number returns the bytes of the next value, a number, without advancing, or nil if it is
// no number.
func (j *Reader) number() []byte {
	j.begin()
	p := j.r.Peek()
	n, kind := scanNumber(p)
	if kind == nil && n == len(p) && j.n > 0 {
		kind = lobbywire.ErrTruncated // more digits may follow
	}
	if kind != nil {
		j.fail(kind, j.at)
		return nil
	}
	return p[:n]
}

// Raw reads a value of any kind and returns a copy of its bytes.
func (j *Reader) Raw() json.RawMessage { return bytes.Clone(j.Skip()) }

// Skip reads a value of any kind. The result is part of the input, so callers must
// neither keep nor change it.
func (j *Reader) Skip() []byte {
	j.begin()
	p := j.r.Peek()
	if j.peeks {
		j.skipUnchecked()
	} else {
		j.skip(0)
	}
	if j.r.Failed() {
		return nil
	}
	p = p[:j.r.Offset()-j.at]
	noteText(j, p)
	return p
}

// step returns the last step of the path.
func (j *Reader) step() *step { return &j.path[j.n-1] }

// push adds a step to the path.
func (j *Reader) push(s step) {
	j.path[j.n] = s
	j.n++
}

// field returns the path in the form of lobbywire.Error.
func (j *Reader) field() string {
	var short [64]byte
	p := short[:0]
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

// fail records a failure of the value at the end of the path.
func (j *Reader) fail(kind error, at int) {
	if !j.r.Failed() {
		j.notePunctuation(at)
		j.r.In(j.field(), -1)
		j.r.Fail(kind, "", at)
	}
}

// unexpected fails the value at offset at because of the next byte, with the reason
// if there is one.
func (j *Reader) unexpected(at int, reason wire.Invalid) {
	if j.r.Len() == 0 {
		j.fail(lobbywire.ErrTruncated, at)
		return
	}
	j.fail(reason, at)
}

// begin goes to the start of the next value and returns its first byte.
func (j *Reader) begin() byte {
	c := j.r.SkipSpace()
	j.at = j.r.Offset()
	return c
}

// noteText explains the value that was read last as a text.
func noteText[T string | []byte](j *Reader, text T) {
	if j.r.Explaining() {
		j.note(strconv.QuoteToASCII(string(text)))
	}
}

// noteVerbatim explains the value that was read last as it stands in the input.
func (j *Reader) noteVerbatim() {
	if j.r.Explaining() {
		j.note(j.r.TextBetween(j.at, j.r.Offset()))
	}
}

// note explains the value that was read last, unless reading has failed.
func (j *Reader) note(shown string) {
	if !j.r.Failed() {
		j.notePunctuation(j.at)
		j.r.In(j.field(), -1)
		j.r.Note(j.at, "", shown)
	}
}

// notePunctuation explains the bytes between values, up to offset to.
func (j *Reader) notePunctuation(to int) { j.r.NoteGap(to, "json") }
