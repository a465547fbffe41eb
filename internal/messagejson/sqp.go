package messagejson

import (
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire/sqp"
)

// A ruleForm is the form of a rule. JSON cannot express the wire type of a value, so
// it stands beside it.
type ruleForm struct {
	Key   string
	Type  sqp.ValueType
	Value any
}

// A valueForm is the form of a value.
type valueForm struct {
	Type  sqp.ValueType
	Value any
}

// A tableForm is the form of a table. Values have the types of their columns.
type tableForm struct {
	Columns []string
	Types   []sqp.ValueType
	Rows    [][]any
	Extra   []byte
	Raw     []byte
}

// formOf returns the form of a table.
func formOf(m sqp.Table) tableForm {
	f := tableForm{Columns: m.Columns, Types: m.Types, Extra: m.Extra, Raw: m.Raw}
	if m.Rows != nil {
		f.Rows = make([][]any, len(m.Rows))
	}
	for i, row := range m.Rows {
		f.Rows[i] = make([]any, len(row))
		for j, v := range row {
			f.Rows[i][j] = scalar(v)
		}
	}
	return f
}

// table stores the table that has the form f, which is at the JSON pointer at, in m.
func (f tableForm) table(m *sqp.Table, at string) error {
	*m = sqp.Table{Columns: f.Columns, Types: f.Types, Extra: f.Extra, Raw: f.Raw}
	if f.Rows != nil {
		m.Rows = make([][]sqp.Value, len(f.Rows))
	}
	for i, row := range f.Rows {
		at := at + "/rows/" + strconv.Itoa(i)
		if len(row) != len(f.Types) {
			return errorAt(at, "%d values for %d types", len(row), len(f.Types))
		}
		m.Rows[i] = make([]sqp.Value, len(row))
		for j, scalar := range row {
			if err := setValue(&m.Rows[i][j], f.Types[j], scalar, at+"/"+strconv.Itoa(j)); err != nil {
				return err
			}
		}
	}
	return nil
}

// scalar returns a number or a string. A value of unknown type is its bytes in
// hexadecimal.
func scalar(v sqp.Value) any {
	switch t := v.Type(); {
	case t <= sqp.ValueUint64:
		return v.Uint()
	case t == sqp.ValueString:
		return v.Text()
	case t == sqp.ValueFloat32:
		return v.Float()
	}
	return hex.EncodeToString(v.Raw())
}

// setValue stores in v the value of type t whose scalar is given, which is at the JSON
// pointer at. Numbers are of type json.Number.
func setValue(v *sqp.Value, t sqp.ValueType, scalar any, at string) error {
	literal, isText := scalar.(string)
	number, _ := scalar.(json.Number)
	ok := isText && (t == sqp.ValueString || t > sqp.ValueFloat32 || strings.HasPrefix(literal, "0x"))
	if !isText {
		literal, ok = number.String(), t <= sqp.ValueUint64 || t == sqp.ValueFloat32
	}
	if !ok || v.UnmarshalText([]byte(t.String()+" "+literal)) != nil {
		return errorAt(at, "%v is not a value of type %s", scalar, t)
	}
	return nil
}
