package messagejson

import (
	"bytes"
	"encoding"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire/sqp"
)

// Marshal returns a message of any of the packages, or another struct, as one
// line of JSON. [Unmarshal] restores the same message from it.
//
// Keys are the names of the Go fields in lowerCamelCase, in the order of the
// struct. The fields of an embedded struct take its place. Nil pointers, slices
// and maps are omitted, so that nil and empty stay distinct. Byte slices and
// byte arrays are hexadecimal strings. A type with a MarshalText method, such as
// netip.Addr, is a string. A float that JSON cannot express is a string with its
// IEEE 754 bits, such as "0x7fc00000". Rules and tables of SQP have their types
// beside their values.
//
// Text that is not valid UTF-8 is read as Latin-1, one character for each byte.
// The last member of the outermost object, "latin1", lists these texts as JSON
// pointers (RFC 6901).
//
// Raw JSON, such as members that a message keeps in Extra, is written byte for byte,
// except the white space between its tokens.
//
// Marshal fails if v contains a value of a kind that no message has, such
// as a channel or a map[string]int. It also fails if v is no struct, such as a
// list of messages, and has text that is not UTF-8: put the list in a struct.
func Marshal(v any) ([]byte, error) {
	m := marshaler{}
	if err := m.value(reflect.ValueOf(v), ""); err != nil {
		return nil, err
	}
	b := m.out.Bytes()
	if len(m.latin1) == 0 {
		return b, nil
	}
	b, isObject := bytes.CutSuffix(b, []byte("}"))
	if !isObject {
		return nil, errorAt("", "text that is not UTF-8 outside of an object")
	}
	list, err := json.Marshal(m.latin1)
	if err != nil {
		return nil, err
	}
	// The object has a member, the text that is Latin-1, so a comma fits.
	return fmt.Appendf(b, `,"%s":%s}`, latin1Key, list), nil
}

type marshaler struct {
	out    bytes.Buffer
	latin1 []string // JSON pointers
}

// value writes v, which is at the JSON pointer at.
func (m *marshaler) value(v reflect.Value, at string) error {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() {
		return m.encode(nil)
	}
	switch x := v.Interface().(type) {
	case json.RawMessage, map[string]json.RawMessage:
		return m.encode(x)
	case sqp.Rule:
		return m.object(reflect.ValueOf(ruleForm{x.Key, x.Value.Type(), scalar(x.Value)}), at)
	case sqp.Value:
		return m.object(reflect.ValueOf(valueForm{x.Type(), scalar(x)}), at)
	case sqp.Table:
		return m.object(reflect.ValueOf(formOf(x)), at)
	case encoding.TextMarshaler:
		text, err := x.MarshalText()
		if err != nil {
			return err
		}
		return m.text(string(text), at)
	}
	switch v.Kind() {
	case reflect.Struct:
		return m.object(v, at)
	case reflect.Slice, reflect.Array:
		if v.Type().Elem() == reflect.TypeFor[byte]() {
			p := make([]byte, v.Len())
			reflect.Copy(reflect.ValueOf(p), v)
			return m.text(hex.EncodeToString(p), at)
		}
		return m.list(v, at)
	case reflect.String:
		return m.text(v.String(), at)
	case reflect.Bool,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return m.encode(v.Interface())
	case reflect.Float32:
		f := v.Float()
		if math.IsNaN(f) || math.IsInf(f, 0) {
			fmt.Fprintf(&m.out, `"%#08x"`,
				math.Float32bits(v.Convert(reflect.TypeFor[float32]()).Interface().(float32)))
			return nil
		}
		m.out.WriteString(strconv.FormatFloat(f, 'g', -1, 32))
	default:
		return errorAt(at, "no form for %s", v.Type())
	}
	return nil
}

// absent reports whether a field is omitted.
func absent(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		return v.IsNil()
	}
	return false
}

func (m *marshaler) object(v reflect.Value, at string) error {
	m.out.WriteByte('{')
	comma := ""
	for _, f := range fieldsOf(v.Type()) {
		field := v.FieldByIndex(f.Index)
		if absent(field) {
			continue
		}
		key := keyOf(f.Name)
		fmt.Fprintf(&m.out, "%s%q:", comma, key)
		if err := m.value(field, at+"/"+key); err != nil {
			return err
		}
		comma = ","
	}
	m.out.WriteByte('}')
	return nil
}

// fieldsOf returns the fields of a struct that have a key. Those of an embedded
// struct stand in its place.
func fieldsOf(t reflect.Type) []reflect.StructField {
	return slices.DeleteFunc(reflect.VisibleFields(t), func(f reflect.StructField) bool {
		return f.Anonymous && f.Type.Kind() == reflect.Struct || !f.IsExported()
	})
}

func (m *marshaler) list(v reflect.Value, at string) error {
	m.out.WriteByte('[')
	for i := range v.Len() {
		if i > 0 {
			m.out.WriteByte(',')
		}
		if err := m.value(v.Index(i), at+"/"+strconv.Itoa(i)); err != nil {
			return err
		}
	}
	m.out.WriteByte(']')
	return nil
}

func (m *marshaler) text(s, at string) error {
	if !utf8.ValidString(s) {
		m.latin1 = append(m.latin1, at)
		s = fromLatin1(s)
	}
	return m.encode(s)
}

// encode writes v as encoding/json does, except that < > & remain as they are.
func (m *marshaler) encode(v any) error {
	enc := json.NewEncoder(&m.out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	m.out.Truncate(m.out.Len() - 1) // the newline that Encode adds
	return nil
}
