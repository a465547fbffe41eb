package sqp

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// MarshalText returns the type, a space and the value, such as "uint16 5", so that JSON and
// other forms of a [Rule] or a [Table] keep the types. A NaN or an infinite float is
// written as its bits, such as "0x7fc00000", and a value of unknown type as hexadecimal
// bytes.
func (v Value) MarshalText() ([]byte, error) {
	text := v.text
	switch {
	case v.typ <= ValueUint64:
		text = strconv.FormatUint(v.bits, 10)
	case v.typ == ValueFloat32:
		text = formatFloat(v.Float())
	case !v.typ.known():
		text = hex.EncodeToString([]byte(v.text))
	}
	return []byte(v.typ.String() + " " + text), nil
}

func formatFloat(f float32) string {
	if wide := float64(f); math.IsNaN(wide) || math.IsInf(wide, 0) {
		return fmt.Sprintf("%#08x", math.Float32bits(f))
	}
	return strconv.FormatFloat(float64(f), 'g', -1, 32)
}

// UnmarshalText reads what MarshalText writes. On error, the value is unchanged.
func (v *Value) UnmarshalText(text []byte) error {
	name, value, _ := strings.Cut(string(text), " ")
	var read Value
	err := read.typ.UnmarshalText([]byte(name))
	if err != nil {
		return err
	}
	switch {
	case read.typ <= ValueUint64:
		read.bits, err = strconv.ParseUint(value, 10, 8<<read.typ)
	case read.typ == ValueString:
		read.text = value
	case read.typ == ValueFloat32:
		read.bits, err = parseFloat(value)
	default:
		var raw []byte
		raw, err = hex.DecodeString(value)
		read.text = string(raw)
	}
	if err != nil {
		return fmt.Errorf("sqp: no value of type %s", read.typ)
	}
	*v = read
	return nil
}

// MarshalBinary returns the same as MarshalText. It makes values usable with package
// encoding/gob.
func (v Value) MarshalBinary() ([]byte, error) { return v.MarshalText() }

// UnmarshalBinary reads what MarshalBinary writes. On error, the value is unchanged.
func (v *Value) UnmarshalBinary(b []byte) error { return v.UnmarshalText(b) }

// parseFloat returns the bits of a float.
func parseFloat(text string) (bits uint64, err error) {
	if digits, ok := strings.CutPrefix(text, "0x"); ok {
		return strconv.ParseUint(digits, 16, 32)
	}
	f, err := strconv.ParseFloat(text, 32)
	return uint64(math.Float32bits(float32(f))), err
}
