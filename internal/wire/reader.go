// Package wire provides the Reader and the Writer of all codecs. Both remember the first
// failure and ignore everything after it, so a codec checks for an error once, at the
// end.
package wire

import (
	"bytes"
	"encoding/binary"
	"math"
	"net/netip"
	"slices"

	"github.com/lobbywire/lobbywire"
)

// A Reader reads a message field by field. The names of fields are for errors and
// explanations.
//
// After a failure, all methods return zero values and Len returns 0, so loops over a
// count or up to the end stop.
type Reader struct {
	b     []byte
	text  string // a copy of b, made for the first text; all texts are parts of it
	off   int
	end   int // of the part being read; len(b) except between Enter and Leave
	scope scope
	fail  *lobbywire.Error
	trace *trace
	utf8  bool // texts must be UTF-8

	decode func([]byte) string // of texts that are not UTF-8; nil leaves them as they are
}

// NewReader returns a Reader at the start of b.
func NewReader(b []byte) Reader { return Reader{b: b, end: len(b)} }

// Len returns the number of unread bytes.
func (r *Reader) Len() int { return r.end - r.off }

// Offset returns the offset of the next read in the whole message.
func (r *Reader) Offset() int { return r.off }

// RequireUTF8 makes texts that are not valid UTF-8 fail from now on.
func (r *Reader) RequireUTF8() { r.utf8 = true }

// DecodeTexts converts texts that are not valid UTF-8 with decode from now on. If decode
// is nil, they are returned as they are.
func (r *Reader) DecodeTexts(decode func([]byte) string) { r.decode = decode }

// Failed reports whether a read has failed.
func (r *Reader) Failed() bool { return r.fail != nil }

// In sets the structure to which the next fields belong, such as players[3]. An index
// of -1 means no index, and In("", -1) the message itself.
func (r *Reader) In(name string, index int) { r.scope = scope{name, index} }

// Fail records a failure of kind in the field that starts at offset at. Only
// the first is kept.
func (r *Reader) Fail(kind error, field string, at int) {
	fail(&r.fail, kind, r.scope, field, at)
	r.end = r.off
}

// Exceed records that the field that starts at offset at has the given size, which
// is more than limit.
func (r *Reader) Exceed(field string, at, size, limit int) {
	r.exceed(field, at, int64(size), int64(limit))
}

func (r *Reader) exceed(field string, at int, size, limit int64) {
	failWith(&r.fail, exceeded(size, limit), r.scope, field, at)
	r.end = r.off
}

// Refuse records that the field that starts at offset at is invalid, and the
// reason.
func (r *Reader) Refuse(field string, at int, reason string) { r.Fail(Invalid(reason), field, at) }

// A Mark is a place in a message to which [Reader.Return] returns.
type Mark struct{ off, end, noted, notedTo int }

// Mark returns the place of the next read.
func (r *Reader) Mark() Mark {
	m := Mark{off: r.off, end: r.end}
	if r.trace != nil {
		m.noted, m.notedTo = len(r.trace.fields), r.trace.end
	}
	return m
}

// Return undoes the reads since a Mark, and forgets their failure.
func (r *Reader) Return(m Mark) {
	r.off, r.end, r.fail = m.off, m.end, nil
	if r.trace != nil {
		r.trace.fields, r.trace.end = r.trace.fields[:m.noted], m.notedTo
	}
}

// Truncated reports whether a read has failed for lack of bytes.
func (r *Reader) Truncated() bool { return r.fail != nil && r.fail.Err == lobbywire.ErrTruncated }

// Err returns the failure as an error of protocol proto, or nil.
func (r *Reader) Err(proto string) error { return result(r.fail, proto) }

// take reads n bytes. The result is part of the input; it is nil on failure.
func (r *Reader) take(n int, field string) []byte {
	if n < 0 || n > r.end-r.off {
		r.Fail(lobbywire.ErrTruncated, field, r.off)
		return nil
	}
	p := r.b[r.off : r.off+n : r.off+n]
	r.off += n
	return p
}

// Const8 reads one byte and fails if it is not v.
func (r *Reader) Const8(field string, v uint8) {
	at := r.off
	if got := r.Uint8(field); got != v && !r.Failed() {
		failWith(&r.fail, numbers{lobbywire.ErrInvalid, "is %d, want %d", int64(got), int64(v)}, r.scope, field, at)
		r.end = r.off
	}
}

// Const16 reads a big-endian 16-bit number and fails if it is not v. A wrong first
// byte is invalid even if the second one is missing.
func (r *Reader) Const16(field string, v uint16) {
	if p := r.Peek(); len(p) > 0 && p[0] != byte(v>>8) || len(p) > 1 && p[1] != byte(v) {
		r.Refuse(field, r.off, "is not the number that starts such messages")
	}
	r.Uint16(field)
}

// word reads n bytes, at most 8. On failure it returns zeros.
func (r *Reader) word(n int, field string) []byte {
	if p := r.take(n, field); p != nil {
		return p
	}
	return make([]byte, 8)
}

// Uint8 reads one byte.
func (r *Reader) Uint8(field string) uint8 { return noted(r, 1, field, r.word(1, field)[0]) }

// Uint16 reads a big-endian 16-bit number.
func (r *Reader) Uint16(field string) uint16 {
	return noted(r, 2, field, binary.BigEndian.Uint16(r.word(2, field)))
}

// Uint16LE reads a little-endian 16-bit number.
func (r *Reader) Uint16LE(field string) uint16 {
	return noted(r, 2, field, binary.LittleEndian.Uint16(r.word(2, field)))
}

// Uint32 reads a big-endian 32-bit number.
func (r *Reader) Uint32(field string) uint32 {
	return noted(r, 4, field, binary.BigEndian.Uint32(r.word(4, field)))
}

// Uint32LE reads a little-endian 32-bit number.
func (r *Reader) Uint32LE(field string) uint32 {
	return noted(r, 4, field, binary.LittleEndian.Uint32(r.word(4, field)))
}

// Uint64 reads a big-endian 64-bit number.
func (r *Reader) Uint64(field string) uint64 {
	return noted(r, 8, field, binary.BigEndian.Uint64(r.word(8, field)))
}

// Float32 reads a big-endian IEEE 754 number.
func (r *Reader) Float32(field string) float32 {
	return noted(r, 4, field, math.Float32frombits(binary.BigEndian.Uint32(r.word(4, field))))
}

// Bytes reads n bytes and returns a copy, nil if n is 0.
func (r *Reader) Bytes(n int, field string) []byte {
	p := r.take(n, field)
	if len(p) == 0 {
		return nil
	}
	note(r, n, field, p)
	return bytes.Clone(p)
}

// Array4 reads four bytes.
func (r *Reader) Array4(field string) [4]byte {
	p := r.take(4, field)
	if p == nil {
		return [4]byte{}
	}
	note(r, 4, field, p)
	return [4]byte(p)
}

// IPv4 reads an address of four bytes, in the order of its usual notation.
func (r *Reader) IPv4(field string) netip.Addr {
	p := r.take(4, field)
	if p == nil {
		return netip.Addr{}
	}
	return noted(r, 4, field, netip.AddrFrom4([4]byte(p)))
}

// Rest reads the rest and returns a copy, nil if it is empty.
func (r *Reader) Rest(field string) []byte { return r.Bytes(r.Len(), field) }

// Skip reads n bytes and ignores them.
func (r *Reader) Skip(n int, field string) {
	if p := r.take(n, field); len(p) > 0 {
		note(r, n, field, p)
	}
}

// Peek returns the rest without reading it. The result is part of the input, so
// callers must neither keep nor change it.
func (r *Reader) Peek() []byte { return r.b[r.off:r.end:r.end] }

// SkipSpace skips spaces, tabs and line breaks and returns the byte after them, 0 at the end.
func (r *Reader) SkipSpace() byte {
	for r.off < r.end {
		c := r.b[r.off]
		if c > ' ' || c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return c
		}
		r.off++
	}
	return 0
}

// Advance reads n of the bytes that Peek returns.
func (r *Reader) Advance(n int) { r.off += n }

// Count checks a number of elements, which was read at offset at. The number must not
// exceed limit, and that many elements of at least size bytes must fit in the rest.
// Callers may allocate memory for the result.
func (r *Reader) Count(n uint32, size, limit int, field string, at int) int {
	switch {
	case uint64(n) > uint64(limit):
		r.exceed(field, at, int64(n), int64(limit))
	case uint64(n)*uint64(size) > uint64(r.Len()):
		r.Fail(lobbywire.ErrTruncated, field, at)
	default:
		return int(n)
	}
	return 0
}

// Limit returns the limit n of the options of a codec: 0 means byDefault, and a
// negative n allows nothing.
func Limit(n, byDefault int) int {
	if n == 0 {
		return byDefault
	}
	return max(n, 0)
}

// Enter restricts reading to the next n bytes until Leave, which takes the result.
// The number n was read as field at offset at.
func (r *Reader) Enter(n int, field string, at int) (outer int) {
	if n < 0 || n > r.Len() {
		r.Fail(lobbywire.ErrTruncated, field, at)
	}
	if r.Failed() {
		return -1
	}
	outer = r.end
	r.end = r.off + n
	return outer
}

// Leave ends the restriction of Enter. It fails if bytes are unread. A field that did
// not fit is invalid rather than truncated: no longer message that starts with the
// same bytes can be valid.
func (r *Reader) Leave(outer int) {
	if outer < 0 {
		return
	}
	if r.Failed() && r.fail.Err == lobbywire.ErrTruncated {
		r.fail.Err = Invalid("does not fit in the part that holds it")
	}
	r.End()
	if !r.Failed() {
		r.end = outer
	}
}

// End fails if bytes are unread.
func (r *Reader) End() {
	if r.off < r.end {
		r.Fail(lobbywire.ErrTrailing, "", r.off)
	}
}

// Substitute replaces the rest by p, its decrypted form, which has the same length.
func (r *Reader) Substitute(p []byte) {
	r.b = slices.Concat(r.b[:r.off], p, r.b[r.end:])
	r.text = ""
}
