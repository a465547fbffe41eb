package main

import (
	"encoding/json"
	"flag"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"

	"github.com/lobbywire/lobbywire/examples/sidecar/internal/state"
)

// sidecar.toml contains all settings, with their defaults. All except start are flags,
// too.
func TestExampleFileHasAllSettings(t *testing.T) {
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
		if f.Name != "config" && f.Name != "health" && f.Name != "version" {
			names = append(names, f.Name)
		}
	})
	if diff := cmp.Diff(names, slices.Sorted(maps.Keys(inFile))); diff != "" {
		t.Errorf("names (-flags +file):\n%s", diff)
	}
}

// Flags override the file, and unknown keys are refused.
func TestFlagsOverrideTheFile(t *testing.T) {
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

// read returns the text of a file, with continued lines in one.
func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`\\\n\s*`).ReplaceAllString(string(text), "")
}

// The sidecar accepts the commands of the documentation.
func TestDocumentedCommandsAreAccepted(t *testing.T) {
	command := regexp.MustCompile(`(?m)^go -C examples run \./sidecar (.*)$`)
	found := 0
	for _, name := range []string{"README.md", "languages/README.md"} {
		for _, m := range command.FindAllStringSubmatch(read(t, name), -1) {
			found++
			if _, err := load(strings.Fields(m[1]), io.Discard); err != nil {
				t.Errorf("%s: sidecar %s: %v", name, m[1], err)
			}
		}
	}
	if found < 4 {
		t.Errorf("%d commands", found)
	}
}

// The flags, states, requests and standings in README.md exist.
func TestNamesInREADMEExist(t *testing.T) {
	readme := read(t, "README.md")
	all := func(pattern string) (names []string) {
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(readme, -1) {
			names = append(names, m[1])
		}
		if len(names) == 0 {
			t.Errorf("nothing like %s", pattern)
		}
		return names
	}
	flags := newFlags(new(options), new(string), new(bool))
	for _, name := range all("`-([a-z][a-z0-9-]*)") {
		if flags.Lookup(name) == nil {
			t.Errorf("there is no flag -%s", name)
		}
	}
	for _, body := range all(`--data \s*'([^']*)'`) {
		if _, err := state.Parse([]byte(body)); err != nil {
			t.Errorf("%s: %v", body, err)
		}
	}
	var api struct{ Paths map[string]any }
	if err := json.Unmarshal([]byte(read(t, "internal/api/openapi.json")), &api); err != nil {
		t.Fatal(err)
	}
	for _, path := range all("`(?:[A-Z]+ )?(/[a-z0-9/.]+)`") {
		if api.Paths[path] == nil {
			t.Errorf("there is no path %s", path)
		}
	}
	for _, name := range allStandings() {
		if !strings.Contains(readme, "`"+string(name)+"`") {
			t.Errorf("%s is not described", name)
		}
	}
}
