package gameagent

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Pair is a key and its value, as on the wire.
type Pair struct {
	Key   string
	Value string
}

// A key of a message. Each key has a field of the message, to which the method
// fields returns a pointer: *string, *int for numbers from 0, *int32, *uint16 or
// *bool.
type key struct {
	wire string
	name string // of the field, for errors
}

// nameOf returns the name of the field of key i, or other if i is -1.
func nameOf(keys []key, i int, other string) string {
	if i < 0 {
		return other
	}
	return keys[i].name
}

// set stores text in a field. It reports whether neither the text nor an earlier
// value of the field is lost; otherwise text belongs in Extra. A field that is not zero
// keeps its value, so the first value of a repeated key counts.
func set(field any, text string) bool {
	if s, ok := field.(*string); ok {
		if *s == "" {
			*s = text
			return true
		}
		return text == ""
	}
	n, ok := accepts(field, text)
	if !ok || n == 0 {
		return ok
	}
	switch v := field.(type) {
	case *int:
		*v = int(n)
	case *int32:
		*v = int32(n)
	case *uint16:
		*v = uint16(n)
	case *bool:
		*v = n == 1
	}
	return true
}

// accepts reports whether set would lose nothing. n is the number in text if the field
// is a number.
func accepts(field any, text string) (n int64, ok bool) {
	if s, isText := field.(*string); isText {
		return 0, *s == "" || text == ""
	}
	n, ok = parseNumber(text)
	now, low, high := number(field)
	return n, ok && n >= low && n <= high && (n == 0 || now == 0)
}

// number returns the value and the range of a field that is a number.
func number(field any) (n, low, high int64) {
	switch v := field.(type) {
	case *int:
		return int64(*v), 0, math.MaxInt32
	case *int32:
		return int64(*v), math.MinInt32, math.MaxInt32
	case *uint16:
		return int64(*v), 0, math.MaxUint16
	case *bool:
		if *v {
			n = 1
		}
	}
	return n, 0, 1
}

// isZero reports whether a field has its zero value.
func isZero(field any) bool {
	if s, ok := field.(*string); ok {
		return *s == ""
	}
	n, _, _ := number(field)
	return n == 0
}

// leftOut reports whether a key is not sent: its field is zero, and extra has
// another value for the key.
func leftOut(extra []Pair, key string, field any) bool {
	return isZero(field) && hasKey(extra, key)
}

// appendFields appends keys and their values, each after sep. It checks all texts at once,
// and looks for the field that is not valid only if there is one.
func appendFields(w *wire.Writer, sep byte, keys []key, fields []any, extra []Pair) {
	b := w.Buffer()
	start, separators, valid := len(b), 0, true
	for i := range keys {
		k := &keys[i]
		if len(extra) > 0 && leftOut(extra, k.wire, fields[i]) {
			continue
		}
		b = append(b, sep)
		b = append(b, k.wire...)
		b = append(b, sep)
		separators += 2
		if s, ok := fields[i].(*string); ok {
			b = append(b, *s...)
			continue
		}
		n, low, high := number(fields[i])
		valid = valid && low <= n && n <= high
		b = wire.AppendInt(b, n)
	}
	w.SetBuffer(b)
	b = b[start:]
	if valid && bytes.Count(b, []byte{sep}) == separators && bytes.IndexByte(b, 0) < 0 {
		return
	}
	for i, k := range keys {
		if s, ok := fields[i].(*string); ok {
			refuseIn(w, sep, *s, k.name)
		} else {
			refuseOutside(w, fields[i], k.name)
		}
	}
}

// appendNumber appends a field that is a number. Only an int can be out of range.
func appendNumber(w *wire.Writer, field any, name string) {
	w.Int(refuseOutside(w, field, name))
}

// refuseOutside returns the value of a field that is a number. It refuses one that is
// out of range.
func refuseOutside(w *wire.Writer, field any, name string) int64 {
	n, low, high := number(field)
	if n < low {
		w.Refuse(name, "below 0")
	} else if n > high {
		w.Exceed(name, int(n), int(high))
	}
	return n
}

// find returns the index of a key in keys, or -1. Keys mostly arrive in order, so
// the search begins at start.
func find(keys []key, wire string, start int) int {
	for n := range keys {
		i := start + n
		if i >= len(keys) {
			i -= len(keys)
		}
		if keys[i].wire == wire {
			return i
		}
	}
	return -1
}

// hasField reports whether a field accepts a pair, which is then none of Extra.
func hasField(keys []key, fields []any, p Pair) bool {
	i := find(keys, p.Key, 0)
	if i < 0 {
		return false
	}
	_, ok := accepts(fields[i], p.Value)
	return ok
}

// room returns extra with room for an element more, if left bytes follow it. Each element
// takes two of them. It grows to twice the length: append would allocate five times what
// many elements take.
func room[E any](extra []E, left int) []E {
	if len(extra) < cap(extra) {
		return extra
	}
	grown := make([]E, len(extra), len(extra)+1+min(len(extra), left/2))
	copy(grown, extra)
	return grown
}

func hasKey(pairs []Pair, key string) bool {
	return slices.ContainsFunc(pairs, func(p Pair) bool { return p.Key == key })
}

// parseNumber reads a number of up to ten digits. It accepts only the form in
// which numbers are sent, so a number that is parsed and appended again does not
// change.
func parseNumber(s string) (n int64, ok bool) {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || len(digits) > 10 || digits[0] == '0' && s != "0" {
		return 0, false
	}
	for i := range len(digits) {
		c := digits[i] - '0'
		if c > 9 {
			return 0, false
		}
		n = n*10 + int64(c)
	}
	if len(digits) < len(s) {
		n = -n
	}
	return n, true
}

// appendExtra appends pairs unchanged, each key and each value after sep. It
// refuses reserved pairs, which would be read as something else.
func appendExtra(w *wire.Writer, sep byte, extra []Pair, reserved func(p Pair) bool) {
	for i, p := range extra {
		w.In("extra", i)
		if reserved(p) {
			w.Refuse("key", "reserved")
		}
		appendTextAfter(w, sep, p.Key, "key")
		appendTextAfter(w, sep, p.Value, "value")
	}
	w.In("", -1)
}
