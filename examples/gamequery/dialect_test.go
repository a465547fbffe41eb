package main

import (
	"slices"
	"testing"
)

// Every format of a dialect exists.
func TestDialectsHaveFormats(t *testing.T) {
	for _, d := range dialects() {
		for _, name := range slices.Concat(d.requests, d.answers) {
			if _, ok := formatOf(name); !ok {
				t.Errorf("%s: %s is no format", d.name, name)
			}
		}
	}
}
