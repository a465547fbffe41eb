package wire

import (
	"bytes"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire"
)

// Text reads a text of n bytes.
func (r *Reader) Text(n int, field string) string { return r.TextWithin(0, n, 0, field) }

// Text8 reads a length of one byte and a text of that many bytes.
func (r *Reader) Text8(field string) string {
	n := 0
	if p := r.Peek(); len(p) > 0 {
		n = int(p[0])
	}
	return r.TextWithin(1, n, 0, field)
}

// Text0 reads a text that ends with a zero byte.
func (r *Reader) Text0(field string) string { return r.TextBefore(0, field) }

// TextBefore reads a text and the byte sep after it.
func (r *Reader) TextBefore(sep byte, field string) string {
	n := bytes.IndexByte(r.Peek(), sep)
	if n < 0 {
		r.Fail(lobbywire.ErrTruncated, field, r.off)
		return ""
	}
	r.off += n + 1
	return r.textEnd(n, 1, n+1, field)
}

// CountPairs returns the number of whole pairs of texts that Text0 can read, up to a pair
// whose first text is empty.
func (r *Reader) CountPairs() (n int) {
	for p := r.Peek(); ; n++ {
		key := bytes.IndexByte(p, 0)
		value := bytes.IndexByte(p[key+1:], 0)
		if key <= 0 || value < 0 {
			return n
		}
		p = p[key+1+value+1:]
	}
}

// TextUntil reads a text that ends before the byte sep, which it skips, or at the end
// of the message. It reports whether sep was found.
func (r *Reader) TextUntil(sep byte, field string) (text string, found bool) {
	n := bytes.IndexByte(r.Peek(), sep)
	if n < 0 {
		return r.Text(r.Len(), field), false
	}
	r.off += n + 1
	return r.textEnd(n, 1, n+1, field), true
}

// TextPadded reads a field of n bytes whose text ends at the first zero byte and
// ignores the bytes after it. If there is no zero byte, the text is the whole field
// without the pads at its end.
func (r *Reader) TextPadded(n int, pad byte, field string) string {
	p := r.take(n, field)
	size := bytes.IndexByte(p, 0)
	if size < 0 {
		size = len(p)
		for size > 0 && p[size-1] == pad {
			size--
		}
	}
	return r.textEnd(size, len(p)-size, len(p), field)
}

// TextWithin reads before+n+after bytes as one field and returns the n bytes in the
// middle as text. The bytes around them are a length or separators that the caller has
// already seen.
func (r *Reader) TextWithin(before, n, after int, field string) string {
	size := before + n + after
	r.take(size, field)
	return r.textEnd(n, after, size, field)
}

// textEnd returns a text of n bytes in a field of size bytes, which ends after bytes
// later. The field has been read.
func (r *Reader) textEnd(n, after, size int, field string) string {
	if r.fail != nil {
		return ""
	}
	to := r.off - after
	s := r.TextBetween(to-n, to)
	if r.utf8 && !utf8.ValidString(s) {
		r.Refuse(field, r.off-size, NotUTF8)
		return ""
	}
	s = r.decoded(s)
	note(r, size, field, s)
	return s
}

// Decoded returns a text that was read as bytes: p, or new bytes if DecodeTexts applies.
func (r *Reader) Decoded(p []byte) []byte {
	if r.decode == nil || utf8.Valid(p) {
		return p
	}
	return []byte(r.decode(bytes.Clone(p)))
}

func (r *Reader) decoded(s string) string {
	if r.decode == nil || utf8.ValidString(s) {
		return s
	}
	return r.decode([]byte(s))
}

// TextBetween returns the bytes between two offsets, which have been read, as a string. All
// strings are parts of one copy of the message.
func (r *Reader) TextBetween(from, to int) string {
	if from == to {
		return ""
	}
	if r.text == "" {
		r.text = string(r.b)
	}
	return r.text[from:to]
}

// ViewWithin reads as TextWithin does, but without a copy: the result is part of the
// input, so callers must neither keep nor change it.
func (r *Reader) ViewWithin(before, n, after int, field string) []byte {
	size := before + n + after
	p := r.take(size, field)
	if r.fail != nil {
		return nil
	}
	p = p[before : before+n : before+n]
	note(r, size, field, text(p))
	return p
}
