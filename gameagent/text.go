package gameagent

import (
	"bytes"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// decodeType reads the first byte and refuses all but want.
func decodeType(r *wire.Reader, want byte) {
	at := r.Offset()
	if r.Uint8("type") != want {
		r.Fail(lobbywire.ErrInvalid, "type", at)
	}
}

// decodeEnd judges bytes after the end of a message.
func decodeEnd(r *wire.Reader, o Options) {
	if o.Strict {
		r.End()
		return
	}
	r.Skip(r.Len(), "ignored")
}

// decodeLiteral reads the text want and refuses any other.
func decodeLiteral(r *wire.Reader, want, field string) {
	p := r.Peek()
	n := min(len(p), len(want))
	if string(p[:n]) != want[:n] {
		r.Fail(lobbywire.ErrInvalid, field, r.Offset())
		return
	}
	r.ViewWithin(0, len(want), 0, field)
}

// decodeUntil reads a text that must end with sep.
func decodeUntil(r *wire.Reader, sep byte, field string) string {
	n := bytes.IndexByte(r.Peek(), sep)
	if n < 0 {
		r.Fail(lobbywire.ErrTruncated, field, r.Offset())
		return ""
	}
	return r.TextWithin(0, n, 1, field)
}

// noEnd is for numbers that reach to the end of the message.
const noEnd = -1

// decodeDecimal reads digits and the byte end after them.
func decodeDecimal(r *wire.Reader, limit int64, end int, field string) int64 {
	p := r.Peek()
	n, i := int64(0), 0
	for ; i < len(p) && int(p[i]) != end; i++ {
		c := p[i] - '0'
		if c > 9 {
			r.Fail(lobbywire.ErrInvalid, field, r.Offset())
			return 0
		}
		if n = n*10 + int64(c); n > limit {
			r.Fail(lobbywire.ErrTooLarge, field, r.Offset())
			return 0
		}
	}
	switch after := min(1, len(p)-i); {
	case i == 0 && after > 0:
		r.Fail(lobbywire.ErrInvalid, field, r.Offset())
	case i == 0, after == 0 && end != noEnd:
		r.Fail(lobbywire.ErrTruncated, field, r.Offset())
	default:
		r.ViewWithin(0, i, after, field)
	}
	return n
}

// appendEnd refuses a message of more than limit bytes.
func appendEnd(w *wire.Writer, limit int) {
	if w.Len() > limit {
		w.Fail(lobbywire.ErrTooLarge, "")
	}
}

// appendTextAfter appends sep and s. It refuses sep and zero bytes in s.
func appendTextAfter(w *wire.Writer, sep byte, s, field string) {
	if strings.IndexByte(s, sep) >= 0 || strings.IndexByte(s, 0) >= 0 {
		w.Fail(lobbywire.ErrInvalid, field)
	}
	w.TextAfter(sep, s)
}
