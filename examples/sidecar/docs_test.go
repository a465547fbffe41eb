package main

import (
	"flag"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
)

// sidecar.toml has all settings, with their defaults. All but start are flags, too.
func TestExampleFile(t *testing.T) {
	got := options{}
	if err := got.read("sidecar.toml"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(defaults(), got, cmp.AllowUnexported(options{})); diff != "" {
		t.Errorf("settings (-default +file):\n%s", diff)
	}

	var inFile map[string]any
	text, err := os.ReadFile("sidecar.toml")
	if err != nil {
		t.Fatal(err)
	}
	if err := toml.Unmarshal(text, &inFile); err != nil {
		t.Fatal(err)
	}
	delete(inFile, "start")
	names := []string{}
	newFlags(&got, new(string), new(bool)).VisitAll(func(f *flag.Flag) {
		if f.Name != "config" && f.Name != "version" {
			names = append(names, f.Name)
		}
	})
	if diff := cmp.Diff(names, slices.Sorted(maps.Keys(inFile))); diff != "" {
		t.Errorf("names (-flags +file):\n%s", diff)
	}
}

// Flags override the file, and unknown keys are refused.
func TestFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sidecar.toml")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("sqp = ':1'\ngamespy2 = ':2'\n[start]\nname = 'Duel'\nmax = 16\n")
	o, err := load([]string{"-sqp", ":3", "-config", file}, io.Discard)
	if err != nil || o.SQP != ":3" || o.GameSpy2 != ":2" || o.State != defaults().State {
		t.Errorf("%+v, error %v", o, err)
	}
	v, err := startOf(o.Start)
	if err != nil || v.Name != "Duel" || *v.Max != 16 {
		t.Errorf("start %+v, error %v", v, err)
	}
	write("sqpp = ':1'\n")
	if _, err := load([]string{"-config", file}, io.Discard); err == nil {
		t.Error("an unknown key is accepted")
	}
}
