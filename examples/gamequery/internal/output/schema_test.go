package output

import (
	"reflect"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/programtest"
)

// The schema has all members of a line, in the same order.
func TestSchemaIsWhole(t *testing.T) {
	var want []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[line]()) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
			want = append(want, name)
		}
	}
	_, properties, _ := strings.Cut(Schema, `"properties": {`)
	at := 0
	for _, name := range want {
		i := strings.Index(properties[at:], "\n    \""+name+`": {`)
		if i < 0 {
			t.Fatalf("%s is not in the schema, or in another place", name)
		}
		at += i
	}
	if got := programtest.ParseSchema(t, Schema).Properties; len(got) != len(want) {
		t.Errorf("the schema has %d members, a line %d", len(got), len(want))
	}
}
