package sqp

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A ValueType is the type of the value of a rule, or of the values of a column.
type ValueType uint8

// The types. Numbers are big-endian. Unity's first servers and clients do not know
// ValueFloat32.
const (
	ValueByte    ValueType = 0 // 1 byte
	ValueUint16  ValueType = 1
	ValueUint32  ValueType = 2
	ValueUint64  ValueType = 3
	ValueString  ValueType = 4 // a length byte and UTF-8
	ValueFloat32 ValueType = 5 // IEEE 754
)

// valueTypeNames are in the order of the types.
var valueTypeNames = [...]string{"byte", "uint16", "uint32", "uint64", "string", "float32"}

// known reports whether the size of values of type t is known.
func (t ValueType) known() bool { return t <= ValueFloat32 }

// String returns the name of a known type, such as "uint16", or a form such as "type(64)".
func (t ValueType) String() string { return wire.EnumName(t, "type", valueTypeNames[:]...) }

// MarshalText returns the name of the type, as String does.
func (t ValueType) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads what MarshalText writes. It fails if text names no type.
func (t *ValueType) UnmarshalText(text []byte) error {
	for known := range ValueFloat32 + 1 {
		if known.String() == string(text) {
			*t = known
			return nil
		}
	}
	digits, numbered := strings.CutPrefix(strings.TrimSuffix(string(text), ")"), "type(")
	n, err := strconv.ParseUint(digits, 10, 8)
	if !numbered || err != nil {
		return fmt.Errorf("sqp: no value type is called %q", text)
	}
	*t = ValueType(n)
	return nil
}

// A Value is a number or a text with its type. The zero Value is the byte 0.
// Values are comparable.
type Value struct {
	typ  ValueType
	bits uint64 // a number, or the bits of a float
	text string // text, or the bytes of a value of unknown type
}

// Byte returns a value of type [ValueByte].
func Byte(v uint8) Value { return Value{typ: ValueByte, bits: uint64(v)} }

// Uint16 returns a value of type [ValueUint16].
func Uint16(v uint16) Value { return Value{typ: ValueUint16, bits: uint64(v)} }

// Uint32 returns a value of type [ValueUint32].
func Uint32(v uint32) Value { return Value{typ: ValueUint32, bits: uint64(v)} }

// Uint64 returns a value of type [ValueUint64].
func Uint64(v uint64) Value { return Value{typ: ValueUint64, bits: v} }

// Float32 returns a value of type [ValueFloat32].
func Float32(v float32) Value {
	return Value{typ: ValueFloat32, bits: uint64(math.Float32bits(v))}
}

// String returns a value of type [ValueString].
func String(s string) Value { return Value{typ: ValueString, text: s} }

// RawValue returns a value of a type that this package does not know. Its size is unknown,
// too, so it consists of all bytes up to the end of its chunk and must be the last value
// there.
func RawValue(t ValueType, raw []byte) Value { return Value{typ: t, text: string(raw)} }

// Type returns the type.
func (v Value) Type() ValueType { return v.typ }

// Uint returns the number of a value of integer type, and 0 for other types.
func (v Value) Uint() uint64 {
	if v.typ <= ValueUint64 {
		return v.bits
	}
	return 0
}

// Float returns the number of a value of type ValueFloat32, and 0 for other types.
func (v Value) Float() float32 {
	if v.typ == ValueFloat32 {
		return math.Float32frombits(uint32(v.bits))
	}
	return 0
}

// Text returns the text of a value of type ValueString, and "" for other types.
// The server chose it: quote it before printing.
func (v Value) Text() string {
	if v.typ == ValueString {
		return v.text
	}
	return ""
}

// Raw returns the bytes of a value of unknown type, and nil for known types.
func (v Value) Raw() []byte {
	if v.typ.known() {
		return nil
	}
	return []byte(v.text)
}

// String returns a number in decimal, and a text or the bytes of a value of
// unknown type in Go's quotes.
func (v Value) String() string {
	switch v.typ {
	case ValueByte, ValueUint16, ValueUint32, ValueUint64:
		return strconv.FormatUint(v.bits, 10)
	case ValueFloat32:
		return strconv.FormatFloat(float64(v.Float()), 'g', -1, 32)
	}
	return strconv.QuoteToASCII(v.text)
}

// decodeValue reads a value of type t.
func decodeValue(r *wire.Reader, t ValueType) Value {
	v := Value{typ: t}
	switch t {
	case ValueByte:
		v.bits = uint64(r.Uint8("value"))
	case ValueUint16:
		v.bits = uint64(r.Uint16("value"))
	case ValueUint32:
		v.bits = uint64(r.Uint32("value"))
	case ValueUint64:
		v.bits = r.Uint64("value")
	case ValueString:
		v.text = r.Text8("value")
	case ValueFloat32:
		v.bits = uint64(math.Float32bits(r.Float32("value")))
	default:
		v.text = string(r.ViewWithin(0, r.Len(), 0, "value"))
	}
	return v
}

// append appends the value without its type.
func (v *Value) append(w *wire.Writer) {
	switch v.typ {
	case ValueByte:
		w.Uint8(uint8(v.bits))
	case ValueUint16:
		w.Uint16(uint16(v.bits))
	case ValueUint32, ValueFloat32:
		w.Uint32(uint32(v.bits))
	case ValueUint64:
		w.Uint64(v.bits)
	case ValueString:
		w.Text8("value", v.text)
	default:
		w.Text(v.text)
	}
}
