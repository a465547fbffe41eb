package gameagent

import (
	"math"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Pair is a key and its value, as the wire holds them.
type Pair struct {
	Key   string
	Value string
}

// A key ties a key of the wire to a field of a message. The value of the field
// is told apart from it, by a pointer: *string, *int for numbers from 0 on,
// *int32, *uint16 or *bool.
type key struct {
	wire string
	name string // of the field, for errors
}

// set stores a value and tells whether nothing of it is left for Extra. A field
// that is not zero keeps its first value.
func set(field any, text string) bool {
	if s, ok := field.(*string); ok {
		if *s == "" {
			*s = text
			return true
		}
		return text == ""
	}
	n, ok := parseNumber(text)
	low, high := bounds(field)
	if !ok || n < low || n > high {
		return false
	}
	if !isZero(field) {
		return n == 0
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

// bounds returns the range of a number.
func bounds(field any) (low, high int64) {
	switch field.(type) {
	case *int:
		return 0, math.MaxInt32
	case *int32:
		return math.MinInt32, math.MaxInt32
	case *uint16:
		return 0, math.MaxUint16
	}
	return 0, 1
}

// number returns the value of a field that is not text.
func number(field any) int64 {
	switch v := field.(type) {
	case *int:
		return int64(*v)
	case *int32:
		return int64(*v)
	case *uint16:
		return int64(*v)
	case *bool:
		if *v {
			return 1
		}
	}
	return 0
}

// isZero tells whether a field has its zero value.
func isZero(field any) bool {
	if s, ok := field.(*string); ok {
		return *s == ""
	}
	return number(field) == 0
}

// leftOut tells whether a field is not sent because it is zero and Extra has
// something else to say about it.
func leftOut(extra []Pair, key string, field any) bool {
	return len(extra) > 0 && isZero(field) && hasKey(extra, key)
}

// appendField appends key and value, each after sep.
func appendField(w *wire.Writer, sep byte, k key, field any, extra []Pair) {
	if leftOut(extra, k.wire, field) {
		return
	}
	w.TextAfter(sep, k.wire)
	if s, ok := field.(*string); ok {
		appendTextAfter(w, sep, *s, k.name)
	} else {
		w.Uint8(sep)
		appendNumber(w, field, k.name)
	}
}

// appendNumber appends a field that is not text. Only an int can hold a number
// that the wire cannot.
func appendNumber(w *wire.Writer, field any, name string) {
	n := number(field)
	if _, ok := field.(*int); ok && n < 0 {
		w.Fail(lobbywire.ErrInvalid, name)
	} else if ok && n > math.MaxInt32 {
		w.Fail(lobbywire.ErrTooLarge, name)
	}
	w.Int(n)
}

// find returns the place of a key, -1 if it is not among keys. Keys mostly come
// in order, so the search begins at start.
func find(keys []key, wire string, start int) int {
	for i := range keys {
		at := (start + i) % len(keys)
		if keys[at].wire == wire {
			return at
		}
	}
	return -1
}

func hasKey(pairs []Pair, key string) bool {
	for _, p := range pairs {
		if p.Key == key {
			return true
		}
	}
	return false
}

// parseNumber reads a number of up to ten digits in the one form in which it is
// sent, so that whatever it accepts is sent again the same.
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

// appendExtra appends pairs as they are, each part after sep. It refuses keys
// that mean something else where they would stand.
func appendExtra(w *wire.Writer, sep byte, extra []Pair, reserved func(key string) bool) {
	for i, p := range extra {
		w.In("extra", i)
		if reserved(p.Key) {
			w.Fail(lobbywire.ErrInvalid, "key")
		}
		appendTextAfter(w, sep, p.Key, "key")
		appendTextAfter(w, sep, p.Value, "value")
	}
	w.In("", -1)
}
