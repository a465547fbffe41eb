package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"

	"github.com/lobbywire/lobbywire/examples/internal/cli"
)

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// lobbyd.toml contains all keys, with their defaults.
func TestExampleFileHasAllKeys(t *testing.T) {
	c, err := load([]string{"--config", "lobbyd.toml"})
	if err != nil {
		t.Fatal(err)
	}
	wantConfig(t, c, defaults())

	all, err := toml.Marshal(defaults())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(keys(t, string(all)), keys(t, read(t, "lobbyd.toml"))); diff != "" {
		t.Errorf("keys of lobbyd.toml (-want +got):\n%s", diff)
	}
}

// keys returns the keys of a configuration file.
func keys(t *testing.T, file string) map[string]map[string]bool {
	t.Helper()
	var tables map[string]any
	if err := toml.Unmarshal([]byte(file), &tables); err != nil {
		t.Fatal(err)
	}
	all := make(map[string]map[string]bool)
	for name, value := range tables {
		all[name] = make(map[string]bool)
		if table, ok := value.(map[string]any); ok {
			for key := range table {
				all[name][key] = true
			}
		}
	}
	return all
}

// lobbyd accepts the commands of README.md and OPERATING.md.
func TestDocumentedCommandsAreAccepted(t *testing.T) {
	text := strings.NewReplacer("${n}", "1", "$n", "1", " &", "").Replace(read(t, "README.md") + read(t, "OPERATING.md"))
	n := 0
	command := regexp.MustCompile(`(?m)^\s*(?:go -C examples run \./)?lobbyd (.*)$`)
	for _, found := range command.FindAllStringSubmatch(text, -1) {
		args := cli.DoubleDashes(strings.Fields(found[1]))
		cmd, rest, err := newRootCommand(nil, nil).Find(args)
		if err == nil && cmd.HasParent() {
			err = cmd.ParseFlags(rest)
		} else if err == nil {
			_, err = load(args)
		}
		if err != nil {
			t.Errorf("lobbyd %s: %v", found[1], err)
		}
		n++
	}
	if n < 10 {
		t.Errorf("found %d commands", n)
	}
}
