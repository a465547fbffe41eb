package gamespy2

import (
	"cmp"
	"reflect"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A typedField is a field of a typed response whose tag names a key of Info or a column.
type typedField struct {
	key   string
	value any // points to a string, or to a pointer to a number or flag
}

// fieldsOf returns the fields of the struct that v points to, in their order.
func fieldsOf(v any) (list []typedField) {
	s := reflect.ValueOf(v).Elem()
	for i := range s.NumField() {
		if key := s.Type().Field(i).Tag.Get("key"); key != "" {
			list = append(list, typedField{key, s.Field(i).Addr().Interface()})
		}
	}
	return list
}

// read sets the field from its text. An invalid number or flag becomes nil.
func (f typedField) read(s string) {
	switch v := f.value.(type) {
	case *string:
		*v = s
	case **bool:
		*v = wire.Bool(s)
	case **float64:
		*v = wire.Decimal(s)
	case **int:
		*v = wire.Number(s)
	}
}

// text returns the text of the field, or "" for a nil number or flag.
func (f typedField) text() string {
	switch v := f.value.(type) {
	case *string:
		return *v
	case **bool:
		return textOf(*v, func(b bool) string {
			if b {
				return "1"
			}
			return "0"
		})
	case **float64:
		return textOf(*v, func(n float64) string { return strconv.FormatFloat(n, 'f', 6, 64) })
	case **int:
		return textOf(*v, strconv.Itoa)
	}
	return ""
}

// textOf returns the text of *v, or "" if v is nil.
func textOf[T any](v *T, text func(T) string) string {
	if v == nil {
		return ""
	}
	return text(*v)
}

// readInfo sets the fields of the struct that v points to from Info.
func (m *Response) readInfo(v any) {
	for _, f := range fieldsOf(v) {
		f.read(m.value(f.key))
	}
}

// infoOf returns the fields of the struct that v points to.
func infoOf(v any) []KeyValue {
	var list []KeyValue
	for _, f := range fieldsOf(v) {
		list = append(list, KeyValue{f.key, f.text()})
	}
	return list
}

// rowsOf returns the rows of a table.
func rowsOf[T any](t *Table) []T {
	list := make([]T, len(t.Rows))
	for i, row := range t.Rows {
		for _, f := range fieldsOf(&list[i]) {
			column := t.Column(f.key)
			if column < 0 {
				column = t.Column(documentedName(f.key))
			}
			f.read(cell(row, column))
		}
	}
	return list
}

// tableWith returns the table with a list as its rows, without columns that are nil in all
// rows. A value that is nil in only some rows becomes a blank, because tables cannot
// contain empty values.
func tableWith[T any](list []T) Table {
	t := Table{Columns: []string{}, Rows: make([][]string, len(list))}
	for column, f := range fieldsOf(new(T)) {
		texts := make([]string, len(list))
		for i := range list {
			texts[i] = fieldsOf(&list[i])[column].text()
		}
		_, textField := f.value.(*string)
		if known := strings.Join(texts, "") != ""; !textField && !known && len(list) > 0 {
			continue
		}
		t.Columns = append(t.Columns, f.key)
		for i, text := range texts {
			if !textField {
				text = cmp.Or(text, " ")
			}
			t.Rows[i] = append(t.Rows[i], text)
		}
	}
	return t
}

// documentedName returns the name of a column in the document about Battlefield 2 if it
// differs from the one on the wire, or "".
func documentedName(column string) string {
	switch column {
	case "deaths_":
		return "death_"
	case "skill_":
		return "kill_"
	}
	return ""
}
