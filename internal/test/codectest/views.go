package codectest

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/golden"
)

// viewer is a message or an entry of a list that describes a server.
type viewer interface{ View() lobbywire.View }

// viewsOf returns the views of v or of its parts, in order.
func viewsOf(v reflect.Value) (all []lobbywire.View) {
	walk(v, func(v reflect.Value) bool {
		switch {
		case !v.CanInterface() || v.Kind() == reflect.Map:
			return false
		case v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface:
			return true
		}
		x, ok := v.Interface().(viewer)
		if ok {
			all = append(all, x.View())
		}
		return !ok && v.Type() != reflect.TypeFor[[]byte]()
	})
	return all
}

// walk calls visit for v and, if visit returns true, for the parts of v in turn.
func walk(v reflect.Value, visit func(v reflect.Value) bool) {
	if !v.IsValid() || !visit(v) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		walk(v.Elem(), visit)
	case reflect.Struct:
		for i := range v.NumField() {
			walk(v.Field(i), visit)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			walk(v.Index(i), visit)
		}
	case reflect.Map:
		for k, e := range v.Seq2() {
			walk(k, visit)
			walk(e, visit)
		}
	}
}

// checkViews tests the views of a decoded message: texts are UTF-8, the JSON form loses
// nothing, and another call returns the same views.
func checkViews(t testing.TB, v any) {
	t.Helper()
	all := viewsOf(reflect.ValueOf(v))
	for i, view := range all {
		walk(reflect.ValueOf(view), func(v reflect.Value) bool {
			if v.Kind() == reflect.String && !utf8.ValidString(v.String()) {
				t.Fatalf("view with text %q, which is not UTF-8", v.String())
			}
			return true
		})
		text, err := json.Marshal(view)
		if err != nil {
			t.Fatalf("view %d to JSON: %v", i, err)
		}
		var back lobbywire.View
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatalf("view %d from JSON %s: %v", i, text, err)
		}
		if diff := Diff(view, back); diff != "" {
			t.Fatalf("view %d to JSON and back (-want +got):\n%s", i, diff)
		}
	}
	same(t, "the same message has another view (-first +second)", all, viewsOf(reflect.ValueOf(v)))
}

// Views returns the views of a message in wire form, none if it is invalid.
func (c Codec[T]) Views(b []byte) []lobbywire.View {
	v, err := c.Parse(b)
	if err != nil {
		return nil
	}
	return viewsOf(reflect.ValueOf(v))
}

// goldenViews compares the views of all golden files with testdata/views.json.
func goldenViews(t *testing.T, lawOf func(t testing.TB, f golden.File) Law) {
	all := map[string][]lobbywire.View{}
	for _, f := range golden.Load(t) {
		if c, ok := lawOf(t, f).(interface {
			Views(b []byte) []lobbywire.View
		}); ok {
			if views := c.Views(f.Data); views != nil {
				all[f.Name] = views
			}
		}
	}
	if len(all) == 0 {
		return
	}
	var got bytes.Buffer
	enc := json.NewEncoder(&got)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(all); err != nil {
		t.Fatal(err)
	}
	same(t, "views (-want +got)", string(golden.Views(t, got.Bytes())), got.String())
}
