package wire

import (
	"bytes"
	"slices"
)

// TextPadded reads a field of n bytes as TextFixed does. But where no zero byte
// ends the text, pads at its end are left out.
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
