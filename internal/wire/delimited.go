package wire

import (
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
