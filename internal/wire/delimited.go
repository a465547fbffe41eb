package wire

import (
	"math"
	"net/netip"
	"strconv"
)

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
	if r.trace != nil {
		r.trace.text(r, size, field, string(p))
	}
	return p
}

// TextAfter appends sep and the bytes of s as they are.
func (w *Writer) TextAfter(sep byte, s string) {
	b := append(w.b, sep)
	w.b = append(b, s...)
}

// Decimal appends v in decimal digits.
func (w *Writer) Decimal(v uint64) { w.b = strconv.AppendUint(w.b, v, 10) }

// Addr appends a in its usual notation, nothing if it is the zero Addr.
func (w *Writer) Addr(a netip.Addr) { w.b = a.AppendTo(w.b) }

// Size8 appends a place for a length of 8 bits, for SetSize8.
func (w *Writer) Size8() (at int) {
	at = len(w.b)
	w.b = append(w.b, 0)
	return at
}

// SetSize8 sets the length at at to what was appended after it.
func (w *Writer) SetSize8(at int, field string) {
	size := len(w.b) - at - 1
	if size > math.MaxUint8 {
		w.Exceed(field, size, math.MaxUint8)
		return
	}
	w.b[at] = byte(size)
}
