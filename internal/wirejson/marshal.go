package wirejson

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
)

// Marshal returns v, a struct or a pointer to one, as JSON on one line.
func Marshal(v any) ([]byte, error) {
	m := marshaler{}
	if err := m.value(reflect.ValueOf(v), ""); err != nil {
		return nil, err
	}
	if len(m.latin1) == 0 {
		return m.out.Bytes(), nil
	}
	list, err := json.Marshal(m.latin1)
	if err != nil {
		return nil, err
	}
	// The outermost object has a member, the text that is Latin-1, so a comma fits.
	b := bytes.TrimSuffix(m.out.Bytes(), []byte("}"))
	return fmt.Appendf(b, `,"%s":%s}`, latin1Key, list), nil
}

// MarshalIndent is Marshal with line breaks and indents of two blanks.
func MarshalIndent(v any) ([]byte, error) {
	b, err := Marshal(v)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, b, "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

type marshaler struct {
	out    bytes.Buffer
	latin1 []string
}

// value writes v, which stands at the JSON pointer at.
func (m *marshaler) value(v reflect.Value, at string) error {
	if !v.IsValid() {
		m.out.WriteString("null")
		return nil
	}
	if p, ok := toPlain(v.Interface()); ok {
		return m.value(reflect.ValueOf(p), at)
	}
	switch x := v.Interface().(type) {
	case encoding.TextMarshaler:
		text, err := x.MarshalText()
		if err != nil {
			return err
		}
		return m.text(string(text), at)
	case json.RawMessage:
		return json.Compact(&m.out, x)
	case []byte:
		return m.text(hex.EncodeToString(x), at)
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return m.value(v.Elem(), at)
	case reflect.Struct:
		return m.object(v, at)
	case reflect.Map:
		return m.members(v, at)
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			p := make([]byte, v.Len())
			reflect.Copy(reflect.ValueOf(p), v)
			return m.text(hex.EncodeToString(p), at)
		}
		return m.list(v, at)
	case reflect.String:
		return m.text(v.String(), at)
	case reflect.Bool:
		m.out.WriteString(strconv.FormatBool(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		m.out.WriteString(strconv.FormatInt(v.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		m.out.WriteString(strconv.FormatUint(v.Uint(), 10))
	case reflect.Float32:
		f := v.Float()
		if math.IsNaN(f) || math.IsInf(f, 0) {
			fmt.Fprintf(&m.out, `"%#08x"`, math.Float32bits(v.Interface().(float32)))
			return nil
		}
		m.out.WriteString(strconv.FormatFloat(f, 'g', -1, 32))
	default:
		return fmt.Errorf("wirejson: no JSON form for %s", v.Type())
	}
	return nil
}

// absent tells whether a field is left out.
func absent(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		return v.IsNil()
	}
	return false
}

func (m *marshaler) object(v reflect.Value, at string) error {
	m.out.WriteByte('{')
	first := true
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() && !absent(v.Field(i)) {
			if err := m.member(keyOf(f.Name), v.Field(i), at, first); err != nil {
				return err
			}
			first = false
		}
	}
	m.out.WriteByte('}')
	return nil
}

func (m *marshaler) members(v reflect.Value, at string) error {
	m.out.WriteByte('{')
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return bytes.Compare([]byte(a.String()), []byte(b.String())) })
	for i, k := range keys {
		if err := m.member(k.String(), v.MapIndex(k), at, i == 0); err != nil {
			return err
		}
	}
	m.out.WriteByte('}')
	return nil
}

func (m *marshaler) member(key string, v reflect.Value, at string, first bool) error {
	if !first {
		m.out.WriteByte(',')
	}
	m.quote(key)
	m.out.WriteByte(':')
	return m.value(v, at+pointerStep(key))
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
	m.quote(s)
	return nil
}

// quote writes s as a JSON string, with < > & as they are.
func (m *marshaler) quote(s string) {
	enc := json.NewEncoder(&m.out)
	enc.SetEscapeHTML(false)
	// Encoding a string into a buffer cannot fail.
	_ = enc.Encode(s)
	m.out.Truncate(m.out.Len() - 1) // the newline that Encode adds
}
