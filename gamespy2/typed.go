package gamespy2

import (
	"cmp"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// A typedField is a field of a typed response whose tag has a key of Info or a
// column.
type typedField struct {
	key   string
	value reflect.Value // a string, int, int32, uint16, bool or float64
}

// fieldsOf returns the fields of the struct that v points to, in their order, with
// those of structs that its fields point to. If such a field is nil, the values
// are not valid.
func fieldsOf(v any) []typedField {
	return appendFields(nil, reflect.TypeOf(v).Elem(), reflect.ValueOf(v).Elem())
}

func appendFields(list []typedField, t reflect.Type, v reflect.Value) []typedField {
	for i := range t.NumField() {
		field := t.Field(i)
		var value reflect.Value
		if v.IsValid() {
			value = v.Field(i)
		}
		if key := field.Tag.Get("key"); key != "" {
			list = append(list, typedField{key, value})
		} else if field.Type.Kind() == reflect.Pointer {
			list = appendFields(list, field.Type.Elem(), value.Elem())
		}
	}
	return list
}

// read sets the field from its text. A number that is empty or blank is 0.
func (f typedField) read(s string) (err error) {
	number := cmp.Or(strings.TrimSpace(s), "0")
	switch v := f.value; v.Kind() {
	case reflect.String:
		v.SetString(s)
	case reflect.Bool:
		v.SetBool(isTrue(s))
	case reflect.Float64:
		var n float64
		n, err = strconv.ParseFloat(number, 64)
		v.SetFloat(n)
	case reflect.Uint16:
		var n uint64
		n, err = strconv.ParseUint(number, 10, 16)
		v.SetUint(n)
	default:
		var n int64
		n, err = strconv.ParseInt(number, 10, v.Type().Bits())
		v.SetInt(n)
	}
	return err
}

const notNumber = "is not a number"

// isTrue reports whether s is true, by its first letter, as GameSpy's code does.
func isTrue(s string) bool { return s != "" && strings.IndexByte("0FfNn", s[0]) < 0 }

// text returns the text of the field, "" if its struct is missing.
func (f typedField) text() string {
	switch v := f.value; v.Kind() {
	case reflect.Invalid:
		return ""
	case reflect.Bool:
		if v.Bool() {
			return "1"
		}
		return "0"
	case reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'f', 6, 64)
	default:
		return fmt.Sprint(v)
	}
}

// readInfo sets the fields of the struct that v points to from Info.
func (m *Response) readInfo(v any) error {
	for _, f := range fieldsOf(v) {
		if f.read(m.value(f.key)) != nil {
			return refuse("info."+f.key, -1, notNumber)
		}
	}
	return nil
}

// infoOf returns the fields of the struct that v points to.
func infoOf(v any) []KeyValue {
	var list []KeyValue
	for _, f := range fieldsOf(v) {
		list = append(list, KeyValue{f.key, f.text()})
	}
	return list
}

// rowsOf returns the rows of the table of a section.
func rowsOf[T any](t *Table, section int) ([]T, error) {
	list := make([]T, len(t.Rows))
	for i, row := range t.Rows {
		for _, f := range fieldsOf(&list[i]) {
			if f.read(cmp.Or(t.value(row, f.key), t.value(row, documentedName(f.key)))) != nil {
				return nil, refuse(rowNames[section]+"["+strconv.Itoa(i)+"]."+f.key, -1, notNumber)
			}
		}
	}
	return list, nil
}

// tableWith returns the table with a list as its rows.
func tableWith[T any](list []T) Table {
	var t Table
	for _, f := range fieldsOf(new(T)) {
		t.Columns = append(t.Columns, f.key)
	}
	t.Rows = make([][]string, len(list))
	for i := range list {
		for _, f := range fieldsOf(&list[i]) {
			t.Rows[i] = append(t.Rows[i], f.text())
		}
	}
	return t
}
