package wirejson

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire/sqp"
)

// The values of sqp carry a wire type that JSON cannot. So a rule is shown with
// its type beside it, and a table with the types of its columns.
type (
	plainRule struct {
		Key   string
		Type  string
		Value any
	}
	plainTable struct {
		Columns []string
		Types   []string
		Rows    [][]any
		Extra   []byte
		Raw     []byte
	}
)

// toPlain returns the struct by which v is shown, if it is not shown as it is.
func toPlain(v any) (any, bool) {
	switch v := v.(type) {
	case sqp.Rule:
		return plainRule{v.Key, v.Value.Type().String(), scalarOf(v.Value)}, true
	case sqp.Table:
		p := plainTable{Columns: v.Columns, Extra: v.Extra, Raw: v.Raw}
		if v.Types != nil {
			p.Types = []string{}
		}
		for _, t := range v.Types {
			p.Types = append(p.Types, t.String())
		}
		if v.Rows != nil {
			p.Rows = [][]any{}
		}
		for _, row := range v.Rows {
			cells := make([]any, len(row))
			for i, c := range row {
				cells[i] = scalarOf(c)
			}
			p.Rows = append(p.Rows, cells)
		}
		return p, true
	}
	return nil, false
}

// fromPlain returns the struct to read into instead of v, and what stores it in v.
func fromPlain(v reflect.Value) (p reflect.Value, store func() error, ok bool) {
	switch v := v.Addr().Interface().(type) {
	case *sqp.Rule:
		p := new(plainRule)
		return reflect.ValueOf(p).Elem(), func() (err error) {
			v.Key = p.Key
			v.Value, err = valueOf(p.Type, p.Value)
			return err
		}, true
	case *sqp.Table:
		p := new(plainTable)
		return reflect.ValueOf(p).Elem(), func() error { return p.store(v) }, true
	}
	return reflect.Value{}, nil, false
}

func (p *plainTable) store(t *sqp.Table) error {
	*t = sqp.Table{Columns: p.Columns, Extra: p.Extra, Raw: p.Raw}
	if p.Types != nil {
		t.Types = []sqp.ValueType{}
	}
	for _, name := range p.Types {
		typ, err := typeOf(name)
		if err != nil {
			return err
		}
		t.Types = append(t.Types, typ)
	}
	if p.Rows != nil {
		t.Rows = [][]sqp.Value{}
	}
	for i, cells := range p.Rows {
		if len(cells) != len(p.Types) {
			return fmt.Errorf("wirejson: row %d: %d values for %d types", i, len(cells), len(p.Types))
		}
		row := make([]sqp.Value, len(cells))
		for j, c := range cells {
			v, err := valueOf(p.Types[j], c)
			if err != nil {
				return fmt.Errorf("wirejson: row %d: %w", i, err)
			}
			row[j] = v
		}
		t.Rows = append(t.Rows, row)
	}
	return nil
}

// scalarOf returns a number, or a string.
func scalarOf(v sqp.Value) any {
	switch v.Type() {
	case sqp.ValueByte, sqp.ValueUint16, sqp.ValueUint32, sqp.ValueUint64:
		return v.Uint()
	case sqp.ValueString:
		return v.Text()
	case sqp.ValueFloat32:
		return v.Float()
	}
	return hex.EncodeToString(v.Raw())
}

// valueOf undoes scalarOf.
func valueOf(typeName string, scalar any) (sqp.Value, error) {
	t, err := typeOf(typeName)
	if err != nil {
		return sqp.Value{}, err
	}
	text, isText := scalar.(string)
	number, _ := scalar.(json.Number)
	bad := fmt.Errorf("wirejson: %v is not a value of type %s", scalar, t)
	var u uint64
	switch t {
	case sqp.ValueByte, sqp.ValueUint16, sqp.ValueUint32, sqp.ValueUint64:
		bits := 8 << (t - sqp.ValueByte)
		if u, err = strconv.ParseUint(number.String(), 10, bits); err != nil {
			return sqp.Value{}, bad
		}
	}
	switch t {
	case sqp.ValueByte:
		return sqp.Byte(uint8(u)), nil
	case sqp.ValueUint16:
		return sqp.Uint16(uint16(u)), nil
	case sqp.ValueUint32:
		return sqp.Uint32(uint32(u)), nil
	case sqp.ValueUint64:
		return sqp.Uint64(u), nil
	case sqp.ValueFloat32:
		if isText {
			if u, err = strconv.ParseUint(text, 0, 32); err != nil {
				return sqp.Value{}, bad
			}
			return sqp.Float32(math.Float32frombits(uint32(u))), nil
		}
		f, err := strconv.ParseFloat(number.String(), 32)
		if err != nil {
			return sqp.Value{}, bad
		}
		return sqp.Float32(float32(f)), nil
	}
	if !isText {
		return sqp.Value{}, bad
	}
	if t == sqp.ValueString {
		return sqp.String(text), nil
	}
	raw, err := hex.DecodeString(text)
	if err != nil {
		return sqp.Value{}, bad
	}
	return sqp.RawValue(t, raw), nil
}

// typeOf returns the type that is called name.
func typeOf(name string) (sqp.ValueType, error) {
	for t := sqp.ValueByte; t <= sqp.ValueFloat32; t++ {
		if t.String() == name {
			return t, nil
		}
	}
	digits, isNumber := strings.CutPrefix(strings.TrimSuffix(name, ")"), "type(")
	n, err := strconv.ParseUint(digits, 10, 8)
	if !isNumber || err != nil {
		return 0, fmt.Errorf("wirejson: no value type is called %q", name)
	}
	return sqp.ValueType(n), nil
}
