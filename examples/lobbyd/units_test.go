package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// Each server that listens by default, and the GameSpy master at its usual ports, has a
// socket unit with its network and port.
func TestEachServerHasASocketUnit(t *testing.T) {
	wantUnits(t, defaults())
	c := defaults()
	c.GameSpy.Listen = address{":" + strconv.Itoa(qr2.MasterPort)}
	c.GameSpy.List = address{":" + strconv.Itoa(sb2.Port)}
	wantUnits(t, c)
}

func wantUnits(t *testing.T, c config) {
	t.Helper()
	d := newLobbyd(c, os.Stderr)
	masters := newMasters(c, sharing{}, &d.rules.judge, d.log)
	servers := masters.servers(c, nil, d.fronts.public, http.NotFoundHandler())
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

// The units let lobbyd use the paths in the documentation and the defaults.
func TestUnitsAllowTheirPaths(t *testing.T) {
	service := read(t, "systemd/lobbyd.service")
	name := regexp.MustCompile(`(?m)^StateDirectory=(.+)$`).FindStringSubmatch(service)
	if name == nil || !strings.Contains(service, "\nProtectSystem=strict\n") {
		t.Fatal("the service has no state directory, or may write elsewhere")
	}
	state := "/var/lib/" + name[1]
	for _, file := range []string{"README.md", "OPERATING.md", "Dockerfile", "systemd/lobbyd.service"} {
		written := regexp.MustCompile(`/var/lib/\w+`).FindAllString(read(t, file), -1)
		if len(written) == 0 {
			t.Errorf("%s names no state directory", file)
		}
		for _, at := range written {
			if at != state {
				t.Errorf("%s has %s, but the service may write to %s", file, at, state)
			}
		}
	}
	t.Setenv("STATE_DIRECTORY", state)
	if c := defaults(); c.Data != "" {
		t.Errorf("the default of -data is %q", c.Data)
	} else if got, err := c.dataDir(); got != state || err != nil {
		t.Errorf("the data directory is %q, %v", got, err)
	}
	_, socket, _ := strings.Cut(read(t, "systemd/lobbyd-admin.socket"), "ListenStream=")
	socket, _, _ = strings.Cut(socket, "\n")
	if usual := usualSockets(); !slices.Contains(usual, socket) {
		t.Errorf("the socket of operators is %s, but the admin command looks at %s", socket, usual)
	}
}

// analyze runs systemd-analyze. It skips the test unless a version is installed that knows
// the settings of the units, and rates them without a running systemd.
func analyze(t *testing.T, args ...string) (said string, err error) {
	t.Helper()
	path := suite.Program(t, "systemd-analyze")
	number := 0
	version, err := exec.Command(path, "--version").CombinedOutput()
	if err == nil {
		_, err = fmt.Sscanf(string(version), "systemd %d", &number)
	}
	if err != nil || number < 250 {
		suite.Missing(t, "systemd-analyze is not of version 250 or later: %s, %v", version, err)
	}
	out, err := exec.Command(path, args...).CombinedOutput()
	return string(out), err
}

// copiedUnits returns copies of the units, which run this program. The first is the service.
func copiedUnits(t *testing.T) (paths []string) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	units, err := filepath.Glob("systemd/*")
	if err != nil || len(units) < 2 {
		t.Fatalf("units are %v, %v", units, err)
	}
	dir := t.TempDir()
	for _, name := range units {
		at := filepath.Join(dir, filepath.Base(name))
		writeUnit(t, at, strings.ReplaceAll(read(t, name), "/usr/local/bin/lobbyd", program))
		paths = append(paths, at)
	}
	slices.SortFunc(paths, func(a, b string) int { return strings.Compare(filepath.Ext(a), filepath.Ext(b)) })
	return paths
}

func writeUnit(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// systemd-analyze accepts the units.
func TestUnitsAreValid(t *testing.T) {
	suite.Program(t, "/bin/kill") // which the service runs
	if said, err := analyze(t, append([]string{"verify", "--man=no"}, copiedUnits(t)...)...); err != nil || said != "" {
		t.Errorf("%v: %s", err, said)
	}
}

// mostExposed is the maximum exposure of the service in tenths. systemd-analyze rates it at 1.4
// of 10; the rest is mostly the network. Other versions rate it a little differently.
const mostExposed = "20"

// systemd-analyze finds the service well confined.
func TestServiceIsConfined(t *testing.T) {
	said, err := analyze(t, "security", "--offline=true", "--no-pager", "--threshold="+mostExposed, copiedUnits(t)[0])
	if err != nil {
		t.Errorf("%v: %s", err, said)
	}
}
