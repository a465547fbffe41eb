package output

import (
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire"
)

// isBrokenUTF8 reports whether text that is not UTF-8 has a character of UTF-8
// beyond ASCII: it was cut within another, as hosts of Warzone do.
func isBrokenUTF8(s string) bool {
	return !utf8.ValidString(s) && strings.ContainsRune(lobbywire.UTF8(s), utf8.RuneError)
}

// repaired returns a message as lists print it: with readable text in place of broken
// UTF-8. The JSON form would show it as Latin-1, which can be encoded again but is
// not readable.
func repaired(message any) any {
	v := reflect.ValueOf(message)
	if !v.IsValid() {
		return message
	}
	return repair(v).Interface()
}

// repair returns v, or a copy if it has broken UTF-8. It ignores unexported fields.
func repair(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.String:
		if isBrokenUTF8(v.String()) {
			return reflect.ValueOf(lobbywire.UTF8(v.String())).Convert(v.Type())
		}
	case reflect.Pointer:
		if !v.IsNil() {
			c := reflect.New(v.Type().Elem())
			c.Elem().Set(repair(v.Elem()))
			return c
		}
	case reflect.Interface:
		if !v.IsNil() {
			c := reflect.New(v.Type()).Elem()
			c.Set(repair(v.Elem()))
			return c
		}
	case reflect.Struct:
		c := reflect.New(v.Type()).Elem()
		c.Set(v)
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				c.Field(i).Set(repair(v.Field(i)))
			}
		}
		return c
	case reflect.Array:
		c := reflect.New(v.Type()).Elem()
		for i := range v.Len() {
			c.Index(i).Set(repair(v.Index(i)))
		}
		return c
	case reflect.Slice:
		if !v.IsNil() && v.Type().Elem().Kind() != reflect.Uint8 {
			c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			for i := range v.Len() {
				c.Index(i).Set(repair(v.Index(i)))
			}
			return c
		}
	}
	return v
}
