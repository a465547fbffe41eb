package output

import (
	"reflect"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire"
)

// readable returns a message as lists print it: with texts converted by lobbywire.UTF8.
// The JSON form of messages keeps the bytes, so that it can be encoded again.
func readable(message any) any {
	v := reflect.ValueOf(message)
	if !v.IsValid() {
		return message
	}
	return readableValue(v).Interface()
}

// readableValue returns v, or a copy with readable text. It ignores unexported fields.
func readableValue(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.String:
		if !utf8.ValidString(v.String()) {
			return reflect.ValueOf(lobbywire.UTF8(v.String())).Convert(v.Type())
		}
	case reflect.Pointer:
		if !v.IsNil() {
			c := reflect.New(v.Type().Elem())
			c.Elem().Set(readableValue(v.Elem()))
			return c
		}
	case reflect.Interface:
		if !v.IsNil() {
			c := reflect.New(v.Type()).Elem()
			c.Set(readableValue(v.Elem()))
			return c
		}
	case reflect.Struct:
		c := reflect.New(v.Type()).Elem()
		c.Set(v)
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				c.Field(i).Set(readableValue(v.Field(i)))
			}
		}
		return c
	case reflect.Array:
		c := reflect.New(v.Type()).Elem()
		for i := range v.Len() {
			c.Index(i).Set(readableValue(v.Index(i)))
		}
		return c
	case reflect.Slice:
		if !v.IsNil() && v.Type().Elem().Kind() != reflect.Uint8 {
			c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			for i := range v.Len() {
				c.Index(i).Set(readableValue(v.Index(i)))
			}
			return c
		}
	}
	return v
}
