package wire

import (
	"bytes"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire"
)

// Text8 reads a length of one byte and as many bytes of text.
func (r *Reader) Text8(field string) string {
	if r.Len() < 1 {
		r.take(1, field)
		return ""
	}
	n := int(r.b[r.off])
	if r.take(1+n, field) == nil {
		return ""
	}
	return r.textEnd(r.off-n, r.off, 1+n, field)
}

// Text0 reads a text that ends with a zero byte.
func (r *Reader) Text0(field string) string {
	n := bytes.IndexByte(r.b[r.off:r.end], 0)
	if n < 0 {
		r.Fail(lobbywire.ErrTruncated, field, r.off)
		return ""
	}
	r.off += n + 1
	return r.textEnd(r.off-n-1, r.off-1, n+1, field)
}

// TextUntil reads a text that ends before the byte sep, which is passed over,
// or at the end of the message. It reports whether sep was there.
func (r *Reader) TextUntil(sep byte, field string) (text string, found bool) {
	rest := r.b[r.off:r.end]
	n := bytes.IndexByte(rest, sep)
	if n < 0 {
		return r.Text(len(rest), field), false
	}
	r.off += n + 1
	return r.textEnd(r.off-n-1, r.off-1, n+1, field), true
}

// Text reads a text of n bytes.
func (r *Reader) Text(n int, field string) string {
	if r.take(n, field) == nil && r.Failed() {
		return ""
	}
	return r.textEnd(r.off-n, r.off, n, field)
}

// textEnd returns b[from:to] as text; the field is the last n bytes read.
func (r *Reader) textEnd(from, to, n int, field string) string {
	if r.fail != nil {
		return ""
	}
	s := ""
	if from < to {
		if r.text == "" {
			r.text = string(r.b)
		}
		s = r.text[from:to]
	}
	if r.utf8 && !utf8.ValidString(s) {
		r.Refuse(field, r.off-n, notUTF8)
		return ""
	}
	note(r, n, field, s)
	return s
}

// TextWithin reads before+n+after bytes as one field and returns the n in the
// middle as text: those around them are a length that the caller has looked at
// or a separator that it has found.
func (r *Reader) TextWithin(before, n, after int, field string) string {
	size := before + n + after
	if r.take(size, field) == nil && r.Failed() {
		return ""
	}
	to := r.off - after
	return r.textEnd(to-n, to, size, field)
}

// ViewWithin reads as TextWithin does, without a copy: the result is part of
// the input, to be neither kept nor changed.
func (r *Reader) ViewWithin(before, n, after int, field string) []byte {
	size := before + n + after
	p := r.take(size, field)
	if r.Failed() {
		return nil
	}
	p = p[before : before+n : before+n]
	note(r, size, field, text(p))
	return p
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
	from := r.off - len(p)
	return r.textEnd(from, from+size, len(p), field)
}
