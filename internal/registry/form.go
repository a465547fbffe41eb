package registry

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// The binary form of the entries of all masters is a JSON object. A struct with tags of
// encoding/json declares its members. They may be added to, but neither renamed nor given
// another meaning: that needs a member "version", which this version refuses.
const versionMember = "version"

// latin1Member lists the texts that are not UTF-8, as JSON pointers (RFC 6901). They are
// written as Latin-1, one character for each byte.
const latin1Member = "latin1"

// AppendForm appends the object of a form, a pointer to a struct, and of unknown members.
// It may change the texts of the form. On error, it returns b.
func AppendForm(b []byte, proto string, form any, extra map[string]json.RawMessage) ([]byte, error) {
	latin1 := known[[]string](extra[latin1Member])
	eachText(reflect.ValueOf(form).Elem(), "", func(text reflect.Value, at string) {
		if !utf8.ValidString(text.String()) {
			text.SetString(fromLatin1(text.String()))
			latin1 = append(latin1, at)
		}
	})
	object, err := json.Marshal(form)
	if err == nil && len(extra)+len(latin1) > 0 {
		object, err = addMembers(object, extra, latin1)
	}
	if err != nil {
		return b, &lobbywire.Error{Proto: proto, Field: "entry", Offset: -1, Err: wire.Invalid("has no JSON form")}
	}
	return append(b, object...), nil
}

// addMembers adds unknown members and the list of texts in Latin-1 to an object.
func addMembers(object []byte, extra map[string]json.RawMessage, latin1 []string) ([]byte, error) {
	members := known[map[string]json.RawMessage](object)
	merge(members, extra)
	delete(members, latin1Member)
	if len(latin1) > 0 {
		members[latin1Member], _ = json.Marshal(latin1) // does not fail
	}
	return json.Marshal(members)
}

// merge adds the members of extra to an object and to nested objects. It does not replace
// members.
func merge(members, extra map[string]json.RawMessage) {
	for name, raw := range extra {
		ours := members[name]
		if ours == nil {
			members[name] = raw
			continue
		}
		in := known[map[string]json.RawMessage](ours)
		if in != nil {
			merge(in, known[map[string]json.RawMessage](raw))
			members[name], _ = json.Marshal(in) // fails for an invalid extra, as its parent does
		}
	}
}

// ParseForm reads what AppendForm writes into a form, a pointer to a struct of zero values, and
// returns the unknown members, also of nested objects. The kind of the error is
// [lobbywire.ErrUnsupported] for a form of a later version.
func ParseForm(b []byte, proto string, form any) (extra map[string]json.RawMessage, err error) {
	v := reflect.ValueOf(form).Elem()
	members := known[map[string]json.RawMessage](b)
	if members[versionMember] != nil {
		return nil, &lobbywire.Error{Proto: proto, Field: versionMember, Err: wire.Unsupported("a later form")}
	}
	if wrong := readMembers(members, v, "entry"); wrong != "" {
		return nil, &lobbywire.Error{Proto: proto, Field: wrong, Err: wire.Invalid("has another type")}
	}
	latin1 := known[[]string](members[latin1Member])
	delete(members, latin1Member)
	if len(latin1) > 0 {
		latin1 = readLatin1(v, latin1)
	}
	if len(latin1) > 0 {
		members[latin1Member], _ = json.Marshal(latin1) // does not fail
	}
	if len(members) == 0 {
		return nil, nil
	}
	return members, nil
}

// readMembers reads the members of an object into a struct and deletes them, so that unknown ones
// remain, also in nested objects. It returns the path of the first member of another type, or "".
func readMembers(members map[string]json.RawMessage, v reflect.Value, at string) (wrong string) {
	if members == nil {
		return at // no object
	}
	for i := range v.NumField() {
		name := memberOf(v.Type().Field(i))
		raw := members[name]
		if name == "" || raw == nil {
			continue
		}
		delete(members, name)
		path := at + "." + name
		if !hasMembers(v.Field(i).Type()) {
			if json.Unmarshal(raw, v.Field(i).Addr().Interface()) != nil {
				return path
			}
			continue
		}
		in := known[map[string]json.RawMessage](raw)
		if wrong := readMembers(in, v.Field(i), path); wrong != "" {
			return wrong
		}
		if len(in) > 0 {
			members[name], _ = json.Marshal(in) // does not fail: it was JSON
		}
	}
	return ""
}

// readLatin1 restores the texts in Latin-1, and returns the pointers to unknown ones.
func readLatin1(v reflect.Value, latin1 []string) (unknown []string) {
	eachText(v, "", func(text reflect.Value, at string) {
		i := slices.Index(latin1, at)
		if i < 0 {
			return
		}
		latin1 = slices.Delete(latin1, i, i+1)
		text.SetString(toLatin1(text.String()))
	})
	return latin1
}

// memberOf returns the name of a field in JSON, or "" if it has none.
func memberOf(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return strings.TrimPrefix(name, "-")
}

// hasMembers reports whether a type is a struct whose fields are members, unlike a time.
func hasMembers(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.NumField() > 0 && t.Field(0).Tag.Get("json") != ""
}

// eachText calls visit for each text in v, with its JSON pointer.
func eachText(v reflect.Value, at string, visit func(text reflect.Value, at string)) {
	switch v.Kind() {
	case reflect.String:
		visit(v, at)
	case reflect.Struct:
		for i := range v.NumField() {
			if name := memberOf(v.Type().Field(i)); name != "" {
				eachText(v.Field(i), at+"/"+name, visit)
			}
		}
	case reflect.Slice, reflect.Array:
		if kind := v.Type().Elem().Kind(); kind != reflect.String && kind != reflect.Struct {
			return
		}
		for i := range v.Len() {
			eachText(v.Index(i), at+"/"+strconv.Itoa(i), visit)
		}
	}
}

// known returns JSON as a value, or the zero value if it is another one or missing.
func known[V any](raw json.RawMessage) (v V) {
	if len(bytes.TrimSpace(raw)) == 0 || json.Unmarshal(raw, &v) != nil {
		var none V
		return none
	}
	return v
}

// fromLatin1 returns a text with one character for each byte.
func fromLatin1(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteRune(rune(s[i]))
	}
	return b.String()
}

// toLatin1 is the inverse of fromLatin1. Other characters have no byte and stay.
func toLatin1(s string) string {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		if r > 0xff {
			return s
		}
		b = append(b, byte(r))
	}
	return string(b)
}
