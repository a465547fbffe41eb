package main

import (
	"encoding"
	"reflect"
	"slices"
)

// waiting returns the keys of the settings that differ in other and need a restart: those
// without the tag reload.
func (c config) waiting(other config) []string {
	return differences(nil, "", reflect.ValueOf(c), reflect.ValueOf(other))
}

// differences appends the keys of a section that differ. Keys of nested sections start with
// the name of the section.
func differences(keys []string, section string, a, b reflect.Value) []string {
	for i := range a.NumField() {
		field := a.Type().Field(i)
		key := section + field.Tag.Get("toml")
		switch {
		case field.Anonymous:
			keys = differences(keys, section, a.Field(i), b.Field(i))
		case isSection(field.Type):
			keys = differences(keys, key+".", a.Field(i), b.Field(i))
		case field.Tag.Get("reload") != "", isEqual(a.Field(i), b.Field(i)), slices.Contains(keys, key):
		default:
			keys = append(keys, key)
		}
	}
	return keys
}

// isSection reports whether the fields of a type are settings.
func isSection(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && !reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// isEqual compares two settings. Empty lists are equal. Secrets are not exported, so they
// have no Interface.
func isEqual(a, b reflect.Value) bool {
	switch {
	case a.Kind() == reflect.Slice && a.Len() == 0 && b.Len() == 0:
		return true
	case !a.CanInterface():
		return a.String() == b.String()
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}
