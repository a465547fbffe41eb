package wire

import (
	"bytes"
	"slices"
)

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

// Grow makes room for n bytes, so that appending them does not allocate again.
func (w *Writer) Grow(n int) { w.b = slices.Grow(w.b, n) }
