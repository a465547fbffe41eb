package wire

import (
	"encoding/binary"
	"math"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire"
)

// A Writer appends a message field by field. It fails if the format cannot carry a
// value, and remembers the first failure.
type Writer struct {
	b      []byte
	given  []byte
	scope  scope
	member string // see InMember
	outer  string // the member that member is part of, or ""
	fail   *lobbywire.Error
	utf8   bool // texts of Text8 must be UTF-8
}

// NewWriter returns a Writer that appends to b.
func NewWriter(b []byte) Writer { return Writer{b: b, given: b} }

// In sets the structure to which the next fields belong, as [Reader.In] does.
func (w *Writer) In(name string, index int) { w.scope = scope{name, index} }

// RequireUTF8 makes Text8 refuse texts that are not valid UTF-8 from now on.
func (w *Writer) RequireUTF8() { w.utf8 = true }

// InMember sets the object within that structure to which the next fields belong, or an
// object within that object. "" returns to the outer object, or to the structure.
func (w *Writer) InMember(name string) {
	if name == "" {
		w.member, w.outer = w.outer, ""
	} else {
		w.member, w.outer = name, w.member
	}
}

// Fail records a failure of kind in a field. Only the first is kept.
func (w *Writer) Fail(kind error, field string) {
	fail(&w.fail, kind, w.scope, w.memberField(field), -1)
}

// Check records a failure of kind in a field unless ok is set.
func (w *Writer) Check(ok bool, kind error, field string) {
	if !ok {
		w.Fail(kind, field)
	}
}

// memberField returns the path of a field within the structure.
func (w *Writer) memberField(field string) string {
	for _, m := range []string{w.member, w.outer} {
		if m != "" {
			field = m + "." + field
		}
	}
	return field
}

// Exceed records that a field has the given size, which is more than limit.
func (w *Writer) Exceed(field string, size, limit int) {
	w.exceed(field, int64(size), int64(limit))
}

func (w *Writer) exceed(field string, size, limit int64) {
	failWith(&w.fail, exceeded(size, limit), w.scope, w.memberField(field), -1)
}

// Refuse records that a field is invalid, and the reason.
func (w *Writer) Refuse(field, reason string) { w.Fail(Invalid(reason), field) }

// Finish returns the slice of NewWriter with the message appended. After a failure it
// returns the slice unchanged, and an error of protocol proto.
func (w *Writer) Finish(proto string) ([]byte, error) {
	if w.fail != nil {
		return w.given, result(w.fail, proto)
	}
	return w.b, nil
}

// Failed reports whether a field has failed.
func (w *Writer) Failed() bool { return w.fail != nil }

// Buffer returns the slice of NewWriter and the appended bytes. Loops that append many
// texts are faster on the slice; SetBuffer takes it back.
func (w *Writer) Buffer() []byte { return w.b }

// SetBuffer replaces the result of Buffer by b, which starts with the same bytes.
func (w *Writer) SetBuffer(b []byte) { w.b = b }

// Len returns the number of bytes that were appended.
func (w *Writer) Len() int { return len(w.b) - len(w.given) }

// Uint8 appends one byte.
func (w *Writer) Uint8(v uint8) { w.b = append(w.b, v) }

// Uint16 appends a 16-bit number, big-endian.
func (w *Writer) Uint16(v uint16) { w.b = append(w.b, byte(v>>8), byte(v)) }

// Uint16LE appends a 16-bit number, little-endian.
func (w *Writer) Uint16LE(v uint16) { w.b = append(w.b, byte(v), byte(v>>8)) }

// Uint32 appends a 32-bit number, big-endian.
func (w *Writer) Uint32(v uint32) {
	w.b = append(w.b, byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
}

// Uint32LE appends a 32-bit number, little-endian.
func (w *Writer) Uint32LE(v uint32) {
	w.b = append(w.b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
}

// Uint64 appends a 64-bit number, big-endian.
func (w *Writer) Uint64(v uint64) {
	w.Uint32(uint32(v >> 32))
	w.Uint32(uint32(v))
}

// Float32 appends an IEEE 754 number, big-endian.
func (w *Writer) Float32(v float32) { w.Uint32(math.Float32bits(v)) }

// Text appends the bytes of s as they are.
func (w *Writer) Text(s string) { w.b = append(w.b, s...) }

// Bytes appends p as it is.
func (w *Writer) Bytes(p []byte) { w.b = append(w.b, p...) }

// Text8 appends a length of one byte and s. It fails if s is longer than 255 bytes.
func (w *Writer) Text8(field, s string) {
	if len(s) > math.MaxUint8 {
		w.Exceed(field, len(s), math.MaxUint8)
		return
	}
	if w.utf8 && !isASCII(s) && !utf8.ValidString(s) {
		w.Refuse(field, NotUTF8)
		return
	}
	b := append(w.b, byte(len(s)))
	w.b = append(b, s...)
}

// isASCII reports whether s is ASCII, as most texts are. For them it is faster than
// [utf8.ValidString].
func isASCII(s string) bool {
	var all byte // bits of the bytes
	for i := range len(s) {
		all |= s[i]
	}
	return all < utf8.RuneSelf
}

// Text0 appends s and a zero byte. It fails if s contains a zero byte.
func (w *Writer) Text0(field, s string) {
	if strings.IndexByte(s, 0) >= 0 {
		w.Refuse(field, hasZero)
		return
	}
	b := append(w.b, s...)
	w.b = append(b, 0)
}

// Size reserves n bytes, at most 4, for a length that SetSize sets.
func (w *Writer) Size(n int) (at int) {
	at = len(w.b)
	w.b = append(w.b, 0, 0, 0, 0)[:at+n]
	return at
}

// SetSize sets the length of n bytes at offset at, big-endian, to the number of bytes
// that were appended after it.
func (w *Writer) SetSize(at, n int, field string) {
	p := w.b[at:]
	size := uint64(len(p) - n)
	if size>>(8*n) != 0 {
		w.exceed(field, int64(size), 1<<(8*n)-1)
		return
	}
	switch n {
	case 1:
		p[0] = byte(size)
	case 2:
		binary.BigEndian.PutUint16(p, uint16(size))
	case 4:
		binary.BigEndian.PutUint32(p, uint32(size))
	}
}

// Grow makes room for n bytes, so that appending them does not allocate again.
func (w *Writer) Grow(n int) { w.b = slices.Grow(w.b, n) }

// TextAfter appends sep and the bytes of s as they are.
func (w *Writer) TextAfter(sep byte, s string) {
	b := append(w.b, sep)
	w.b = append(b, s...)
}

// Decimal appends v in decimal digits.
func (w *Writer) Decimal(v uint64) { w.b = strconv.AppendUint(w.b, v, 10) }

// Addr appends a in its usual notation, nothing if it is the zero Addr.
func (w *Writer) Addr(a netip.Addr) { w.b = a.AppendTo(w.b) }

// Int appends v in decimal digits, after a minus sign if it is negative.
func (w *Writer) Int(v int64) { w.b = strconv.AppendInt(w.b, v, 10) }
