package pairs

import (
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// DecodeLiteral reads the text want. It refuses any other text.
func DecodeLiteral(r *wire.Reader, want, field string) {
	if !StartsAs(r.Peek(), want) {
		r.Refuse(field, r.Offset(), "is not the text that such messages have")
		return
	}
	r.ViewWithin(0, len(want), 0, field)
}

// StartsAs reports whether b starts with text, or is the start of it.
func StartsAs(b []byte, text string) bool {
	n := min(len(b), len(text))
	return string(b[:n]) == text[:n]
}

// NoEnd is the end of a number that extends to the end of the message.
const NoEnd = -1

// DecodeDecimal reads a number in digits, up to limit, and the byte end after it.
func DecodeDecimal(r *wire.Reader, limit int64, end int, field string) int64 {
	p := r.Peek()
	n, i := int64(0), 0
	for ; i < len(p) && int(p[i]) != end; i++ {
		c := p[i] - '0'
		if c > 9 {
			r.Refuse(field, r.Offset(), "is not a number")
			return 0
		}
		n = n*10 + int64(c)
		if n > limit {
			r.Exceed(field, r.Offset(), int(n), int(limit))
			return 0
		}
	}
	switch after := min(1, len(p)-i); {
	case i == 0 && after > 0:
		r.Refuse(field, r.Offset(), "is not a number")
	case i == 0, after == 0 && end != NoEnd:
		r.Fail(lobbywire.ErrTruncated, field, r.Offset())
	default:
		r.ViewWithin(0, i, after, field)
	}
	return n
}

// AppendEnd refuses a message of more than limit bytes.
func AppendEnd(w *wire.Writer, limit int) {
	if size := w.Len(); size > limit {
		w.Exceed("", size, limit)
	}
}

// AppendTextAfter appends sep and s. It refuses a text that contains sep or a zero
// byte.
func AppendTextAfter(w *wire.Writer, sep byte, s, field string) {
	RefuseIn(w, sep, s, field)
	w.TextAfter(sep, s)
}

// RefuseIn refuses a text that contains sep or a zero byte.
func RefuseIn(w *wire.Writer, sep byte, s, field string) {
	if strings.IndexByte(s, sep) >= 0 || strings.IndexByte(s, 0) >= 0 {
		w.Refuse(field, "contains a zero byte or the delimiter "+string(rune(sep)))
	}
}

// DecodeEnd ignores bytes after the message. If strict, it refuses them.
func DecodeEnd(r *wire.Reader, strict bool) {
	switch n := r.Len(); {
	case n == 0:
	case strict:
		r.End()
	default:
		r.Skip(n, "ignored")
	}
}
