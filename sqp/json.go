package sqp

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire"
)

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
	digits, isNumber := strings.CutPrefix(strings.TrimSuffix(string(text), ")"), "type(")
	n, err := strconv.ParseUint(digits, 10, 8)
	if !isNumber || err != nil {
		return fmt.Errorf("sqp: no value type is called %q", text)
	}
	*t = ValueType(n)
	return nil
}

// A ruleForm is the JSON form of a rule. JSON cannot express the wire type of a
// value, so it stands beside it.
type ruleForm struct {
	Key   string
	Type  ValueType
	Value any
}

// MarshalJSON returns the rule as an object with "key", "type" and "value".
func (r Rule) MarshalJSON() ([]byte, error) {
	return lobbywire.MarshalJSON(ruleForm{r.Key, r.Value.typ, r.Value.scalar()})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Rule) UnmarshalJSON(b []byte) error {
	var f ruleForm
	if err := lobbywire.UnmarshalJSON(b, &f); err != nil {
		return err
	}
	v, err := valueOf(f.Type, f.Value)
	if err != nil {
		return err
	}
	*r = Rule{f.Key, v}
	return nil
}

// A valueForm is the JSON form of a value.
type valueForm struct {
	Type  ValueType
	Value any
}

// MarshalJSON returns the value as an object with "type" and "value".
func (v Value) MarshalJSON() ([]byte, error) {
	return lobbywire.MarshalJSON(valueForm{v.typ, v.scalar()})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (v *Value) UnmarshalJSON(b []byte) error {
	var f valueForm
	err := lobbywire.UnmarshalJSON(b, &f)
	if err == nil {
		*v, err = valueOf(f.Type, f.Value)
	}
	return err
}

// A tableForm is the JSON form of a table. Values have the types
// of their columns.
type tableForm struct {
	Columns []string
	Types   []ValueType
	Rows    [][]any
	Extra   []byte
	Raw     []byte
}

// MarshalJSON returns the table as an object. A row is an array of numbers and
// strings, because the member "types" has the types of its values.
func (m Table) MarshalJSON() ([]byte, error) {
	f := tableForm{Columns: m.Columns, Types: m.Types, Extra: m.Extra, Raw: m.Raw}
	if m.Rows != nil {
		f.Rows = make([][]any, len(m.Rows))
	}
	for i, row := range m.Rows {
		f.Rows[i] = make([]any, len(row))
		for j, v := range row {
			f.Rows[i][j] = v.scalar()
		}
	}
	return lobbywire.MarshalJSON(f)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (m *Table) UnmarshalJSON(b []byte) error {
	var f tableForm
	if err := lobbywire.UnmarshalJSON(b, &f); err != nil {
		return err
	}
	t := Table{Columns: f.Columns, Types: f.Types, Extra: f.Extra, Raw: f.Raw}
	if f.Rows != nil {
		t.Rows = make([][]Value, len(f.Rows))
	}
	for i, row := range f.Rows {
		if len(row) != len(t.Types) {
			return fmt.Errorf("sqp: row %d has %d values for %d types", i, len(row), len(t.Types))
		}
		t.Rows[i] = make([]Value, len(row))
		for j, scalar := range row {
			v, err := valueOf(t.Types[j], scalar)
			if err != nil {
				return fmt.Errorf("%w in row %d", err, i)
			}
			t.Rows[i][j] = v
		}
	}
	*m = t
	return nil
}

// scalar returns a number or a string. A value of unknown type is its bytes in
// hexadecimal.
func (v Value) scalar() any {
	switch v.typ {
	case ValueByte, ValueUint16, ValueUint32, ValueUint64:
		return v.bits
	case ValueString:
		return v.text
	case ValueFloat32:
		return v.Float()
	}
	return hex.EncodeToString([]byte(v.text))
}

// valueOf undoes scalar. Numbers are of type json.Number.
func valueOf(t ValueType, scalar any) (Value, error) {
	text, isText := scalar.(string)
	number, _ := scalar.(json.Number)
	v := Value{typ: t}
	var err error
	switch {
	case t <= ValueUint64:
		v.bits, err = strconv.ParseUint(number.String(), 10, 8<<t)
	case t == ValueFloat32 && isText:
		v.bits, err = strconv.ParseUint(text, 0, 32)
	case t == ValueFloat32:
		var f float64
		f, err = strconv.ParseFloat(number.String(), 32)
		v.bits = uint64(math.Float32bits(float32(f)))
	case !isText:
		err = strconv.ErrSyntax
	case t == ValueString:
		v.text = text
	default:
		var raw []byte
		raw, err = hex.DecodeString(text)
		v.text = string(raw)
	}
	if err != nil {
		return Value{}, fmt.Errorf("sqp: %v is not a value of type %s", scalar, t)
	}
	return v, nil
}
