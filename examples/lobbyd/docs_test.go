package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"

	"github.com/lobbywire/lobbywire/examples/internal/dashes"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// lobbyd.toml has all keys, with their defaults.
func TestExampleFile(t *testing.T) {
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

// lobbyd accepts the commands of README.md and of the service unit.
func TestCommandsOfTheDocumentation(t *testing.T) {
	text := strings.NewReplacer("${n}", "1", "$n", "1", " &", "").Replace(read(t, "README.md"))
	n := 0
	for _, found := range regexp.MustCompile(`(?m)^\s*(?:go -C examples run \./)?lobbyd (.*)$`).FindAllStringSubmatch(text, -1) {
		args := dashes.Double(strings.Fields(found[1]))
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

// Each server that listens by default, and the GameSpy master at its usual ports, has a
// socket unit with its network and port.
func TestUnits(t *testing.T) {
	wantUnits(t, defaults())
	c := defaults()
	c.GameSpy.Listen = address{":" + strconv.Itoa(qr2.MasterPort)}
	c.GameSpy.List = address{":" + strconv.Itoa(sb2.Port)}
	wantUnits(t, c)
}

func wantUnits(t *testing.T, c config) {
	t.Helper()
	d := newLobbyd(c, os.Stderr)
	servers := newMasters(c, sharing{}, &d.judge, d.log).servers(c, d.public, d.log)
	for _, s := range servers {
		if s.at.off() {
			continue
		}
		kind := "ListenStream="
		if s.udp != nil {
			kind = "ListenDatagram="
		}
		unit := read(t, filepath.Join("systemd", "lobbyd-"+s.name+".socket"))
		for _, want := range []string{
			kind + strings.TrimPrefix(s.at.hostPort, ":") + "\n",
			"FileDescriptorName=" + s.name + "\n",
			"Service=lobbyd.service\n",
		} {
			if !strings.Contains(unit, "\n"+want) {
				t.Errorf("the unit of %s lacks %s", s.name, want)
			}
		}
	}
}

// systemd-analyze accepts the units, if it is installed.
func TestUnitsAreValid(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	units, err := filepath.Glob("systemd/*")
	if err != nil || len(units) < 2 {
		t.Fatalf("units are %v, %v", units, err)
	}
	dir, args := t.TempDir(), []string{"verify"}
	for _, name := range units {
		unit := strings.ReplaceAll(read(t, name), "/usr/local/bin/lobbyd", program)
		at := filepath.Join(dir, filepath.Base(name))
		if err := os.WriteFile(at, []byte(unit), 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, at)
	}
	if said, err := exec.Command(analyze, args...).CombinedOutput(); err != nil || len(said) > 0 {
		t.Errorf("%v: %s", err, said)
	}
}
