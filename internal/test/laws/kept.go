package laws

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// isKept tests that packages gob and json write and read the answer of a client. gob does
// not keep pointers to zero or empty slices, and json only texts that are UTF-8.
func isKept(t *testing.T, answer any) {
	t.Helper()
	var stream bytes.Buffer
	got := reflect.New(reflect.TypeOf(answer))
	err := errors.Join(gob.NewEncoder(&stream).Encode(answer), gob.NewDecoder(&stream).DecodeValue(got))
	diff := cmp.Diff(answer, got.Elem().Interface(), allFields, zeroIsNil, cmpopts.EquateEmpty())
	if diff != "" || err != nil {
		t.Errorf("gob: error %v (-answer +read):\n%s", err, diff)
	}
	got = reflect.New(reflect.TypeOf(answer))
	text, err := json.Marshal(answer)
	err = errors.Join(err, json.Unmarshal(text, got.Interface()))
	diff = cmp.Diff(answer, got.Elem().Interface(), allFields, asUTF8)
	if diff != "" || err != nil {
		t.Errorf("JSON: error %v (-answer +read):\n%s", err, diff)
	}
}

var (
	allFields = cmp.Exporter(func(reflect.Type) bool { return true })
	asUTF8    = cmp.Comparer(func(x, y string) bool { return string([]rune(x)) == string([]rune(y)) })

	zeroIsNil = cmp.FilterValues(func(x, y any) bool {
		typ := reflect.TypeOf(x)
		return typ == reflect.TypeOf(y) && typ.Kind() == reflect.Pointer && typ.Elem().Kind() < reflect.Array
	}, cmp.Comparer(func(x, y any) bool { return pointed(x) == pointed(y) }))
)

// pointed returns what p points to, or its zero value.
func pointed(p any) any {
	v := reflect.ValueOf(p)
	if v.IsNil() {
		return reflect.Zero(v.Type().Elem()).Interface()
	}
	return v.Elem().Interface()
}
