package laws

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/golden"
)

// viewer is a message or an entry of a list that describes a server.
type viewer interface{ View() lobbywire.View }

// viewsOf returns the views of what v is or holds, in order.
func viewsOf(v reflect.Value) (all []lobbywire.View) {
	if !v.IsValid() || !v.CanInterface() {
		return nil
	}
	if v.Kind() != reflect.Pointer && v.Kind() != reflect.Interface {
		if x, ok := v.Interface().(viewer); ok {
			return []lobbywire.View{x.View()}
		}
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return viewsOf(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			all = append(all, viewsOf(v.Field(i))...)
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return nil
		}
		for i := range v.Len() {
			all = append(all, viewsOf(v.Index(i))...)
		}
	}
	return all
}

// checkViews judges the views of a decoded message: texts are UTF-8, JSON restores
// them, and the next call returns the same.
func checkViews(t testing.TB, v any) {
	t.Helper()
	all := viewsOf(reflect.ValueOf(v))
	for i, view := range all {
		checkTexts(t, reflect.ValueOf(view))
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
	if diff := Diff(all, viewsOf(reflect.ValueOf(v))); diff != "" {
		t.Fatalf("the same message has another view (-first +second):\n%s", diff)
	}
}

// checkTexts wants all texts in v to be UTF-8.
func checkTexts(t testing.TB, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.String:
		if !utf8.ValidString(v.String()) {
			t.Fatalf("view with text %q, which is not UTF-8", v.String())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			checkTexts(t, v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			checkTexts(t, v.Index(i))
		}
	}
}

// Views returns the views of a message in wire form. There are none if it is
// broken.
func (c Codec[T]) Views(b []byte) []lobbywire.View {
	v, err := c.Parse(b)
	if err != nil {
		return nil
	}
	return viewsOf(reflect.ValueOf(v))
}

// goldenViews compares the views of all golden files with testdata/views.json.
func goldenViews(t *testing.T, lawOf func(f golden.File) Law) {
	all := map[string][]lobbywire.View{}
	for _, f := range golden.Load(t) {
		if c, ok := lawOf(f).(interface {
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
	if diff := cmp.Diff(string(golden.Views(t, got.Bytes())), got.String()); diff != "" {
		t.Errorf("views (-want +got):\n%s", diff)
	}
}
