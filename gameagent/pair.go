package gameagent

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Pair is a key and its value, as on the wire.
type Pair struct {
	Key   string
	Value string
}

// A key of a message. Each key has a field of the message, to which the method
// fields returns a pointer. A field is a text, which is "" if the key is missing, an
// int, int32 or uint16, of which 0 stands for none, or a pointer to an int from 0, an
// int32 or a flag, which is nil.
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

// memory holds what the fields of a message point to, in few allocations.
type memory struct {
	counts []int
	int32s []int32
	flags  []bool
	plain  bool // numbers are only accepted as they are sent
}

// keep appends v to all and returns a pointer to it. It reserves room for the players that
// the remaining bytes, left, may contain.
func keep[E any](all *[]E, v E, left int) *E {
	if len(*all) == cap(*all) {
		*all = make([]E, 0, 2+min(left/minRecord, enginePlayers))
	}
	*all = append(*all, v)
	return &(*all)[len(*all)-1]
}

// set stores text in a field. It reports false if text belongs in Extra: if it is no
// value of the field, or the field is set, since the first value of a repeated key
// counts. left bytes follow.
func (m *memory) set(field any, text string, left int) bool {
	n, ok := accepts(field, text)
	if _, isText := field.(*string); ok && m.plain && !isText {
		_, ok = parsePlain(text)
	}
	if !ok {
		return false
	}
	switch v := field.(type) {
	case *string:
		*v = text
	case *int:
		*v = int(n)
	case *int32:
		*v = int32(n)
	case *uint16:
		*v = uint16(n)
	case **int:
		*v = keep(&m.counts, int(n), left)
	case **int32:
		*v = keep(&m.int32s, int32(n), left)
	case **bool:
		*v = keep(&m.flags, n == 1, left)
	}
	return true
}

// accepts reports whether a field is not set and text is a value of it. n is the number
// in text if the field is a number, and 1 or 0 if it is a flag.
func accepts(field any, text string) (n int64, ok bool) {
	switch field.(type) {
	case *string:
		return 0, !isSet(field)
	case *int32:
		n, ok = parsePlain(text)
	case **bool:
		flag := lobbywire.Bool(text)
		if ok = flag != nil; ok && *flag {
			n = 1
		}
	default:
		number := lobbywire.Number(text)
		if ok = number != nil; ok {
			n = int64(*number)
		}
	}
	low, high := limits(field)
	return n, ok && low <= n && n <= high && !isSet(field)
}

// isSet reports whether a field is set.
func isSet(field any) bool {
	switch v := field.(type) {
	case *string:
		return *v != ""
	case **int:
		return *v != nil
	case **int32:
		return *v != nil
	case **bool:
		return *v != nil
	}
	return number(field) != 0
}

// number returns the value of a field that is a number or a flag, and is set if it is a
// pointer.
func number(field any) int64 {
	switch v := field.(type) {
	case *int:
		return int64(*v)
	case *int32:
		return int64(*v)
	case *uint16:
		return int64(*v)
	case **int:
		return int64(**v)
	case **int32:
		return int64(**v)
	case **bool:
		if **v {
			return 1
		}
	}
	return 0
}

// limits returns the range of a field that is a number or a flag.
func limits(field any) (low, high int64) {
	switch field.(type) {
	case *int, **int:
		return 0, math.MaxInt32
	case *int32, **int32:
		return math.MinInt32, math.MaxInt32
	case *uint16:
		return 0, math.MaxUint16
	}
	return 0, 1
}

// isSent reports whether the key of a field is sent. Pointers and ports are left out if
// they are not set.
func isSent(field any) bool {
	switch field.(type) {
	case *string, *int, *int32:
		return true
	}
	return isSet(field)
}

// appendFields appends keys and their values, each after sep. It checks all texts at once,
// and looks for the field that is not valid only if there is one.
func appendFields(w *wire.Writer, sep byte, keys []key, fields []any) {
	b := w.Buffer()
	start, separators, valid := len(b), 0, true
	for i := range keys {
		k := &keys[i]
		if !isSent(fields[i]) {
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
		n := number(fields[i])
		low, high := limits(fields[i])
		valid = valid && low <= n && n <= high
		b = strconv.AppendInt(b, n, 10)
	}
	w.SetBuffer(b)
	b = b[start:]
	if valid && bytes.Count(b, []byte{sep}) == separators && bytes.IndexByte(b, 0) < 0 {
		return
	}
	for i, k := range keys {
		if s, ok := fields[i].(*string); ok {
			refuseIn(w, sep, *s, k.name)
		} else if isSet(fields[i]) {
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
	n := number(field)
	low, high := limits(field)
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

// parsePlain reads a number of up to ten digits. It accepts only the form in
// which numbers are sent, so a number that is parsed and appended again does not
// change. Values are read by [lobbywire.Number], which accepts more.
func parsePlain(s string) (n int64, ok bool) {
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
