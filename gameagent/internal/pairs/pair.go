// Package pairs contains the code that packages gameagent and gamespy1 share: messages of
// keys and values, and answers that are cut into packets.
package pairs

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Pair is the type of a key and its value in the package of a codec.
type Pair interface {
	~struct{ Key, Value string }
}

// A pair is any Pair.
type pair struct{ Key, Value string }

// A Key is a key of a message. Each key belongs to a field of the message, to which the
// method fields returns a pointer. A field is a text, "" if the key is missing; an int,
// int32 or uint16, 0 if it is missing; or a pointer to an int from 0, an int32 or a flag,
// nil if it is missing.
type Key struct {
	Wire string
	Name string // of the field, for errors
}

// NameOf returns the name of the field of key i, or other if i is -1.
func NameOf(keys []Key, i int, other string) string {
	if i < 0 {
		return other
	}
	return keys[i].Name
}

// Memory holds the targets of the pointers in a message, in few allocations.
type Memory struct {
	Plain bool // numbers are only accepted as they are sent

	counts []int
	int32s []int32
	flags  []bool
}

// keep appends v to all and returns a pointer to it. It reserves room for the players that
// the remaining bytes, left, may contain.
func keep[E any](all *[]E, v E, left int) *E {
	if len(*all) == cap(*all) {
		*all = make([]E, 0, 2+min(left/MinRecord, EnginePlayers))
	}
	*all = append(*all, v)
	return &(*all)[len(*all)-1]
}

// Set stores text in a field. It returns false if text belongs in Extra: if it is not a
// value of the field, or the field is set, because the first value of a repeated key
// counts. left bytes follow.
func (m *Memory) Set(field any, text string, left int) bool {
	n, ok := accepts(field, text)
	if _, isText := field.(*string); ok && m.Plain && !isText {
		_, ok = ParseNumber(text)
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
		return 0, !IsSet(field)
	case *int32:
		n, ok = ParseNumber(text)
	case **bool:
		flag := wire.Bool(text)
		if ok = flag != nil; ok && *flag {
			n = 1
		}
	default:
		number := wire.Number(text)
		if ok = number != nil; ok {
			n = int64(*number)
		}
	}
	low, high := Limits(field)
	return n, ok && low <= n && n <= high && !IsSet(field)
}

// IsSet reports whether a field is set.
func IsSet(field any) bool {
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
	return Number(field) != 0
}

// Number returns the value of a field that is a number or a flag, and is set if it is a
// pointer.
func Number(field any) int64 {
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

// Limits returns the range of a field that is a number or a flag.
func Limits(field any) (low, high int64) {
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

// IsSent reports whether the key of a field is sent. Unset pointers and ports are left out.
func IsSent(field any) bool {
	switch field.(type) {
	case *string, *int, *int32:
		return true
	}
	return IsSet(field)
}

// AppendFields appends keys and their values, each after sep. It checks all texts at once,
// and looks for the field that is not valid only if there is one.
func AppendFields(w *wire.Writer, sep byte, keys []Key, fields []any) {
	b := w.Buffer()
	start, separators, valid := len(b), 0, true
	for i := range keys {
		k := &keys[i]
		if !IsSent(fields[i]) {
			continue
		}
		b = append(b, sep)
		b = append(b, k.Wire...)
		b = append(b, sep)
		separators += 2
		if s, ok := fields[i].(*string); ok {
			b = append(b, *s...)
			continue
		}
		n := Number(fields[i])
		low, high := Limits(fields[i])
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
			RefuseIn(w, sep, *s, k.Name)
		} else if IsSet(fields[i]) {
			RefuseOutside(w, fields[i], k.Name)
		}
	}
}

// AppendNumber appends a field that is a number. Only an int can be out of range.
func AppendNumber(w *wire.Writer, field any, name string) {
	w.Int(RefuseOutside(w, field, name))
}

// RefuseOutside returns the value of a field that is a number. It refuses one that is
// out of range.
func RefuseOutside(w *wire.Writer, field any, name string) int64 {
	n := Number(field)
	low, high := Limits(field)
	if n < low {
		w.Refuse(name, "below 0")
	} else if n > high {
		w.Exceed(name, int(n), int(high))
	}
	return n
}

// Find returns the index of a key in keys, or -1. Keys usually arrive in order, so the
// search begins at start.
func Find(keys []Key, wire string, start int) int {
	for n := range keys {
		i := start + n
		if i >= len(keys) {
			i -= len(keys)
		}
		if keys[i].Wire == wire {
			return i
		}
	}
	return -1
}

// HasField reports whether a field accepts the value of a key, so that the pair does not
// belong in Extra.
func HasField(keys []Key, fields []any, key, value string) bool {
	i := Find(keys, key, 0)
	if i < 0 {
		return false
	}
	_, ok := accepts(fields[i], value)
	return ok
}

// Room returns extra with room for another element if left bytes follow; each element takes
// at least two. It doubles the length: with append, many elements would allocate five times
// their size.
func Room[E any](extra []E, left int) []E {
	if len(extra) < cap(extra) {
		return extra
	}
	grown := make([]E, len(extra), len(extra)+1+min(len(extra), left/2))
	copy(grown, extra)
	return grown
}

// ParseNumber reads a number of up to ten digits. It accepts only the form in
// which numbers are sent, so a number that is parsed and appended again does not
// change. Values are read by wire.Number, which accepts more.
func ParseNumber(s string) (n int64, ok bool) {
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

// AppendExtra appends pairs unchanged, each key and each value after sep. It
// refuses reserved pairs, which would be read as something else.
func AppendExtra[P Pair](w *wire.Writer, sep byte, extra []P, reserved func(p P) bool) {
	for i, e := range extra {
		w.In("extra", i)
		if reserved(e) {
			w.Refuse("key", "reserved")
		}
		p := pair(e)
		AppendTextAfter(w, sep, p.Key, "key")
		AppendTextAfter(w, sep, p.Value, "value")
	}
	w.In("", -1)
}

// CutIndex splits a key such as player_5 into player and 5.
func CutIndex(key string) (name string, index int, ok bool) {
	at := strings.LastIndexByte(key, '_')
	if at < 0 {
		return "", 0, false
	}
	n, ok := ParseNumber(key[at+1:])
	if !ok || n < 0 || n > math.MaxInt32 {
		return "", 0, false
	}
	return key[:at], int(n), true
}

// Sizes of the memory that is reserved for players.
const (
	MinRecord     = 32 // about the size of the shortest record of a player
	EnginePlayers = 16 // the maximum in Serious Engine
)
