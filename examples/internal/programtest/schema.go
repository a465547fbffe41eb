package programtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// A Schema is the part of JSON Schema that schema.json uses.
type Schema struct {
	Schema, Title, Description string
	Type                       string
	Const                      any
	Enum                       []any
	Minimum, Maximum           *float64
	Required                   []string
	AdditionalProperties       *bool
	Properties                 map[string]Schema
	Items                      *Schema
}

// Check returns the violations of the schema in v, the value at a path.
func (s Schema) Check(path string, v any) error {
	var errs []error
	wrong := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%s: "+format, append([]any{path}, args...)...))
	}
	n, isNumber := v.(float64)
	object, isObject := v.(map[string]any)
	list, isList := v.([]any)
	_, isText := v.(string)
	_, isBool := v.(bool)
	is := map[string]bool{
		"": true, "object": isObject, "array": isList, "string": isText, "boolean": isBool,
		"number": isNumber, "integer": isNumber && n == math.Trunc(n),
	}
	switch {
	case !is[s.Type]:
		wrong("%v is no %s", v, s.Type)
	case s.Const != nil && v != s.Const, s.Enum != nil && !slices.Contains(s.Enum, v):
		wrong("%v is not allowed", v)
	case s.Minimum != nil && n < *s.Minimum, s.Maximum != nil && n > *s.Maximum:
		wrong("%v is out of range", v)
	}
	for _, name := range s.Required {
		if _, ok := object[name]; !ok {
			wrong("no %s", name)
		}
	}
	for name, member := range object {
		known, ok := s.Properties[name]
		switch {
		case ok:
			errs = append(errs, known.Check(path+"/"+name, member))
		case s.AdditionalProperties != nil && !*s.AdditionalProperties:
			wrong("%s is not in the schema", name)
		}
	}
	if s.Items != nil {
		for i, item := range list {
			errs = append(errs, s.Items.Check(fmt.Sprint(path, "/", i), item))
		}
	}
	return errors.Join(errs...)
}

// ParseSchema returns the schema in text. It fails t if it uses parts of JSON Schema
// that Check does not support.
func ParseSchema(t *testing.T, text string) (s Schema) {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(strings.ReplaceAll(text, `"$schema"`, `"schema"`)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&s); err != nil {
		t.Fatal(err)
	}
	return s
}
