package formats

import (
	"strings"
	"testing"
)

// Messages that have a member "message" themselves stay unambiguous in streams.
func TestNameInFrontIsUnambiguous(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:                          `{"message":"a.B"}`,
		`{"x":1}`:                     `{"message":"a.B","x":1}`,
		`{"x":{"message":1}}`:         `{"message":"a.B","x":{"message":1}}`,
		`{"message":"<hello>","x":1}`: `{"message":"a.B","value":{"message":"<hello>","x":1}}`,
	} {
		named := withName("a.B", []byte(text))
		if string(named) != want {
			t.Errorf("%s named: %s, want %s", text, named, want)
		}
		name, rest, err := withoutName(named)
		if name != "a.B" || strings.TrimSpace(string(rest)) != text || err != nil {
			t.Errorf("%s unnamed: %s %s, %v", named, name, rest, err)
		}
	}
}
