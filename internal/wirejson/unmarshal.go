package wirejson

import (
	"bytes"
	"encoding"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"
)

var textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()

// Unmarshal reads the form that [Marshal] writes into v, a pointer. It refuses
// keys that v has no field for.
func Unmarshal(data []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var tree any
	if err := dec.Decode(&tree); err != nil {
		return fmt.Errorf("wirejson: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("wirejson: more than one JSON value")
	}
	u := unmarshaler{data: data, latin1: map[string]bool{}}
	if m, ok := tree.(map[string]any); ok {
		list, _ := m[latin1Key].([]any)
		for _, at := range list {
			s, _ := at.(string)
			u.latin1[s] = true
		}
		delete(m, latin1Key)
	}
	return u.value(tree, reflect.ValueOf(v).Elem(), "")
}

type unmarshaler struct {
	data   []byte
	latin1 map[string]bool // JSON pointers
}

// wrong reports that the value at the JSON pointer at is not what it should be.
func wrong(at, want string) error {
	return fmt.Errorf("wirejson: %q: want %s", at, want)
}

// value stores tree, which stands at the JSON pointer at, in v.
func (u *unmarshaler) value(tree any, v reflect.Value, at string) error {
	if p, store, ok := fromPlain(v); ok {
		if err := u.value(tree, p, at); err != nil {
			return err
		}
		return store()
	}
	if v.Addr().Type().Implements(textUnmarshaler) {
		s, err := u.text(tree, at)
		if err != nil {
			return err
		}
		return v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(s))
	}
	if v.Type() == reflect.TypeFor[json.RawMessage]() {
		raw, err := u.raw(at)
		v.SetBytes(raw)
		return err
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return u.value(tree, v.Elem(), at)
	case reflect.Interface:
		v.Set(reflect.ValueOf(tree))
		if s, ok := tree.(string); ok {
			s, err := u.text(s, at)
			v.Set(reflect.ValueOf(s))
			return err
		}
		return nil
	case reflect.Struct:
		return u.object(tree, v, at)
	case reflect.Map:
		return u.members(tree, v, at)
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return u.bytes(tree, v, at)
		}
		return u.list(tree, v, at)
	case reflect.String:
		s, err := u.text(tree, at)
		v.SetString(s)
		return err
	case reflect.Bool:
		b, ok := tree.(bool)
		if !ok {
			return wrong(at, "true or false")
		}
		v.SetBool(b)
		return nil
	}
	return u.number(tree, v, at)
}

func (u *unmarshaler) number(tree any, v reflect.Value, at string) error {
	bits := v.Type().Bits()
	if s, ok := tree.(string); ok && v.Kind() == reflect.Float32 {
		n, err := strconv.ParseUint(s, 0, bits)
		v.Set(reflect.ValueOf(math.Float32frombits(uint32(n))).Convert(v.Type()))
		return err
	}
	n, ok := tree.(json.Number)
	if !ok {
		return wrong(at, "a number")
	}
	switch v.Kind() {
	case reflect.Float32:
		f, err := strconv.ParseFloat(n.String(), bits)
		v.SetFloat(f)
		return err
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		i, err := strconv.ParseInt(n.String(), 10, bits)
		if err != nil {
			return wrong(at, fmt.Sprintf("an integer of %d bits", bits))
		}
		v.SetInt(i)
		return nil
	}
	i, err := strconv.ParseUint(n.String(), 10, bits)
	if err != nil {
		return wrong(at, fmt.Sprintf("an unsigned integer of %d bits", bits))
	}
	v.SetUint(i)
	return nil
}

func (u *unmarshaler) object(tree any, v reflect.Value, at string) error {
	m, ok := tree.(map[string]any)
	if !ok {
		return wrong(at, "an object")
	}
	known := 0
	for i := range v.NumField() {
		f := v.Type().Field(i)
		member, ok := m[keyOf(f.Name)]
		if !ok || !f.IsExported() {
			continue
		}
		known++
		if err := u.value(member, v.Field(i), at+pointerStep(keyOf(f.Name))); err != nil {
			return err
		}
	}
	if known < len(m) {
		return wrong(at, "no keys but those of "+v.Type().String())
	}
	return nil
}

func (u *unmarshaler) members(tree any, v reflect.Value, at string) error {
	m, ok := tree.(map[string]any)
	if !ok {
		return wrong(at, "an object")
	}
	v.Set(reflect.MakeMapWithSize(v.Type(), len(m)))
	for key, member := range m {
		e := reflect.New(v.Type().Elem()).Elem()
		if err := u.value(member, e, at+pointerStep(key)); err != nil {
			return err
		}
		v.SetMapIndex(reflect.ValueOf(key), e)
	}
	return nil
}

func (u *unmarshaler) list(tree any, v reflect.Value, at string) error {
	l, ok := tree.([]any)
	if !ok {
		return wrong(at, "an array")
	}
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), len(l), len(l)))
	} else if v.Len() != len(l) {
		return wrong(at, fmt.Sprintf("an array of %d", v.Len()))
	}
	for i, e := range l {
		if err := u.value(e, v.Index(i), at+"/"+strconv.Itoa(i)); err != nil {
			return err
		}
	}
	return nil
}

// raw returns the text at the JSON pointer at, which is there, without white
// space. The tree has lost the order of members and how strings are escaped.
func (u *unmarshaler) raw(at string) ([]byte, error) {
	text := json.RawMessage(u.data)
	for step := range strings.SplitSeq(strings.TrimPrefix(at, "/"), "/") {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(text, &members); err == nil {
			text = members[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)]
			continue
		}
		var elements []json.RawMessage
		i, err := strconv.Atoi(step)
		if err := errors.Join(err, json.Unmarshal(text, &elements)); err != nil {
			return nil, err
		}
		text = elements[i]
	}
	var out bytes.Buffer
	err := json.Compact(&out, text)
	return out.Bytes(), err
}

func (u *unmarshaler) bytes(tree any, v reflect.Value, at string) error {
	s, _ := tree.(string)
	p, err := hex.DecodeString(s)
	if err != nil {
		return wrong(at, "hexadecimal digits")
	}
	if v.Kind() == reflect.Slice {
		v.SetBytes(p)
		return nil
	}
	if v.Len() != len(p) {
		return wrong(at, fmt.Sprintf("%d bytes in hexadecimal", v.Len()))
	}
	reflect.Copy(v, reflect.ValueOf(p))
	return nil
}

func (u *unmarshaler) text(tree any, at string) (string, error) {
	s, ok := tree.(string)
	if !ok {
		return "", wrong(at, "a string")
	}
	if !u.latin1[at] {
		return s, nil
	}
	if s, ok = toLatin1(s); !ok {
		return "", wrong(at, "Latin-1 text, as the list of "+latin1Key+" says")
	}
	return s, nil
}
