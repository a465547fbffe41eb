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
	"strings"

	"github.com/lobbywire/lobbywire/sqp"
)

// Unmarshal reads the form that [Marshal] writes into v, a pointer to a
// message. It fails if v has no field for a key of b, or if a value does not fit
// its field. Nothing of the old value of v remains: a field whose key is missing is
// zero. On error, v has a part of the message.
func Unmarshal(b []byte, v any) error {
	to := reflect.ValueOf(v)
	if to.Kind() != reflect.Pointer || to.IsNil() {
		return fmt.Errorf("JSON into %T, want a pointer", v)
	}
	to.Elem().SetZero()
	var compact bytes.Buffer
	if err := json.Compact(&compact, b); err != nil {
		return fmt.Errorf("not JSON: %w", err)
	}
	raw := compact.Bytes()
	u := unmarshaler{keys: make(map[reflect.Type][]key)}
	var members map[string]json.RawMessage
	if bytes.Contains(raw, []byte(latin1Key)) && json.Unmarshal(raw, &members) == nil && members[latin1Key] != nil {
		if err := read(members[latin1Key], &u.latin1, "/"+latin1Key, "an array of strings"); err != nil {
			return err
		}
		slices.Sort(u.latin1)
	}
	return u.value(raw, to.Elem(), "")
}

type unmarshaler struct {
	latin1 []string // JSON pointers, sorted

	// keys has the keys of the struct types so far: elements of a list have the same type.
	keys map[reflect.Type][]key
}

// A key is the key of a field.
type key struct {
	name  string
	index []int
}

// keysOf returns the keys of a type.
func (u *unmarshaler) keysOf(t reflect.Type) []key {
	keys, ok := u.keys[t]
	if !ok {
		for _, f := range fieldsOf(t) {
			keys = append(keys, key{keyOf(f.Name), f.Index})
		}
		u.keys[t] = keys
	}
	return keys
}

// value stores raw, which is at the JSON pointer at and has no white space, in v.
func (u *unmarshaler) value(raw json.RawMessage, v reflect.Value, at string) error {
	switch to := v.Addr().Interface().(type) {
	case *json.RawMessage:
		*to = bytes.Clone(raw)
		return nil
	case *map[string]json.RawMessage:
		*to = nil
		return read(raw, to, at, "an object")
	case *any:
		return u.scalar(raw, to, at)
	case *sqp.Rule:
		var f ruleForm
		if err := u.object(raw, reflect.ValueOf(&f).Elem(), at); err != nil {
			return err
		}
		to.Key = f.Key
		return setValue(&to.Value, f.Type, f.Value, at)
	case *sqp.Value:
		var f valueForm
		if err := u.object(raw, reflect.ValueOf(&f).Elem(), at); err != nil {
			return err
		}
		return setValue(to, f.Type, f.Value, at)
	case *sqp.Table:
		var f tableForm
		if err := u.object(raw, reflect.ValueOf(&f).Elem(), at); err != nil {
			return err
		}
		return f.table(to, at)
	case encoding.TextUnmarshaler:
		s, err := u.text(raw, at)
		if err != nil {
			return err
		}
		return to.UnmarshalText([]byte(s))
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return u.value(raw, v.Elem(), at)
	case reflect.Struct:
		return u.object(raw, v, at)
	case reflect.Slice, reflect.Array:
		if v.Type().Elem() == reflect.TypeFor[byte]() {
			return u.bytes(raw, v, at)
		}
		return u.list(raw, v, at)
	case reflect.String:
		s, err := u.text(raw, at)
		v.SetString(s)
		return err
	case reflect.Bool:
		return read(raw, v.Addr().Interface(), at, "true or false")
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return read(raw, v.Addr().Interface(), at, "an integer of %d bits", v.Type().Bits())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return read(raw, v.Addr().Interface(), at, "an unsigned integer of %d bits", v.Type().Bits())
	case reflect.Float32:
		return readFloat(raw, v, at)
	}
	return errorAt(at, "no form for %s", v.Type())
}

// read stores raw in to. It fails if raw is null or not what is wanted.
func read(raw json.RawMessage, to any, at, wanted string, args ...any) error {
	if string(raw) == "null" || json.Unmarshal(raw, to) != nil {
		return errorAt(at, "want "+wanted, args...)
	}
	return nil
}

// scalar stores a text as a string and a number as a json.Number.
func (u *unmarshaler) scalar(raw json.RawMessage, to *any, at string) error {
	if raw[0] == '"' {
		s, err := u.text(raw, at)
		*to = s
		return err
	}
	var n json.Number
	err := read(raw, &n, at, "a string or a number")
	*to = n
	return err
}

// readFloat stores a number, or the bits of one in a text, in v.
func readFloat(raw json.RawMessage, v reflect.Value, at string) error {
	const wanted = "a number or its bits"
	if raw[0] != '"' {
		return read(raw, v.Addr().Interface(), at, wanted)
	}
	n, err := strconv.ParseUint(strings.Trim(string(raw), `"`), 0, 32)
	if err != nil {
		return errorAt(at, "want "+wanted)
	}
	// Not through float64, which would change the bits of a NaN.
	v.Set(reflect.ValueOf(math.Float32frombits(uint32(n))).Convert(v.Type()))
	return nil
}

func (u *unmarshaler) object(raw json.RawMessage, v reflect.Value, at string) error {
	var m map[string]json.RawMessage
	if err := read(raw, &m, at, "an object"); err != nil {
		return err
	}
	if at == "" {
		delete(m, latin1Key)
	}
	known := 0
	for _, key := range u.keysOf(v.Type()) {
		member, ok := m[key.name]
		if !ok {
			continue
		}
		known++
		if err := u.value(member, v.FieldByIndex(key.index), at+"/"+key.name); err != nil {
			return err
		}
	}
	if known < len(m) {
		return errorAt(at, "want only the keys of %s", v.Type())
	}
	return nil
}

func (u *unmarshaler) list(raw json.RawMessage, v reflect.Value, at string) error {
	var l []json.RawMessage
	if err := read(raw, &l, at, "an array"); err != nil {
		return err
	}
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), len(l), len(l)))
	} else if v.Len() != len(l) {
		return errorAt(at, "want an array of %d", v.Len())
	}
	for i, e := range l {
		if err := u.value(e, v.Index(i), at+"/"+strconv.Itoa(i)); err != nil {
			return err
		}
	}
	return nil
}

func (u *unmarshaler) bytes(raw json.RawMessage, v reflect.Value, at string) error {
	s, err := u.text(raw, at)
	if err != nil {
		return err
	}
	p, err := hex.DecodeString(s)
	if err != nil {
		return errorAt(at, "want hexadecimal digits")
	}
	if v.Kind() == reflect.Slice {
		v.SetBytes(p)
		return nil
	}
	if v.Len() != len(p) {
		return errorAt(at, "want %d bytes in hexadecimal", v.Len())
	}
	reflect.Copy(v, reflect.ValueOf(p))
	return nil
}

func (u *unmarshaler) text(raw json.RawMessage, at string) (string, error) {
	var s string
	if err := read(raw, &s, at, "a string"); err != nil {
		return "", err
	}
	if _, ok := slices.BinarySearch(u.latin1, at); !ok {
		return s, nil
	}
	s, ok := toLatin1(s)
	if !ok {
		return "", errorAt(at, "want Latin-1 text, because %s lists it", latin1Key)
	}
	return s, nil
}
