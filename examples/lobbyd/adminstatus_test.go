package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/cluster"
)

// Operators need no flags for the lobbyd of their data directory. Only they can use its socket,
// which is removed when it ends.
func TestUsualSocketNeedsNoFlags(t *testing.T) {
	state, err := os.MkdirTemp("", "lobbyd") // t.TempDir may be too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(state) })
	t.Setenv("XDG_STATE_HOME", state)
	if code, said := admin(t, "status"); code != exitFailed || !strings.Contains(said, filepath.Join(state, "lobbyd")) {
		t.Errorf("without a lobbyd: %d, %s", code, said)
	}
	args := anywhere()[2:] // without -data
	l := start(t, args...)
	path := filepath.Join(state, "lobbyd", socketFile)
	if l.addr["admin"] != path || modeOf(t, path) != os.ModeSocket|0o600 {
		t.Errorf("it listens at %s, %v", l.addr["admin"], modeOf(t, path))
	}
	code, said := admin(t, "status")
	if code != exitOK || !strings.Contains(said, filepath.Join(state, "lobbyd")+", saved") {
		t.Errorf("%d, %s", code, said)
	}
	l.end()
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("left: %v", err)
	}
	l = start(t, append(args, "-admin", "off")...)
	if l.addr["admin"] != "" {
		t.Errorf("-admin off listens at %s", l.addr["admin"])
	}
}

// A lobbyd that cannot create its usual socket starts without it, and says so.
func TestStartsWithoutTheUsualSocket(t *testing.T) {
	data := t.TempDir()
	if err := os.Mkdir(filepath.Join(data, socketFile), 0o700); err != nil {
		t.Fatal(err)
	}
	l := begin(t, append(anywhere(), "-data", data)...)
	if line := l.logged(t, "not listening"); line["server"] != "admin" {
		t.Errorf("%v", line)
	}
	l.awaitReady(t)
	if code, _ := fails(t, append(anywhere(), "-admin", filepath.Join(data, socketFile))...); code != exitFailed {
		t.Errorf("a path of -admin: exit code %d", code)
	}
}

// A status is readable, and complete in JSON.
func TestStatusIsReadable(t *testing.T) {
	t.Parallel()
	l, over := adminOf(t, "-data", filepath.Join(t.TempDir(), "data"))
	host(t, l, "Game")
	eventually(t, func() string {
		said := do(t, over, "status")
		for _, want := range []string{`lobbyd +ready, for \d+s`, `version +\S`, `warzone +1 listed, 0 hidden, \d+ players`,
			`gameagent +0 listed`, `bans +0`, `log +info`, `data +/.*, saved`, `-web +127\.0\.0\.1:\d+`, `-admin +/`} {
			if !regexp.MustCompile(`(?m)^` + want).MatchString(said) {
				return want + " is not in:\n" + said
			}
		}
		return ""
	})
	var s status
	if err := json.Unmarshal([]byte(do(t, over, "-json", "status")), &s); err != nil || s.Lists["warzone"].Listed != 1 ||
		time.Since(s.Started) > time.Hour || s.Data == nil || !s.Data.Saved || s.Listening["web"][0] != l.addr["web"] {
		t.Errorf("%+v, %v", s, err)
	}
}

// Problems stand out, and texts of other nodes reach the terminal only escaped.
func TestTroubleStandsOutInStatus(t *testing.T) {
	b, err := json.Marshal(status{Phase: "ready", Data: &dataStatus{Path: "/data"},
		Certificates: map[string]time.Time{"a.example": {}, "b.example": time.Unix(0, 0)}, Unread: "no such file",
		Cluster: &cluster.State{Node: "a", Nodes: []string{"a", "b\x1b[2J"}}})
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	cmd := newAdminCommand()
	cmd.SetOut(&said)
	if err := printStatus(cmd, b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"/data, NOT SAVED", "a.example, MISSING", "b.example, EXPIRED 1970-01-01", "CUT OFF",
		"the old one is served: no such file"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("%q is not in:\n%s", want, said.String())
		}
	}
	if strings.Contains(said.String(), "\x1b") {
		t.Errorf("%q", said.String())
	}
	if err := printStatus(cmd, []byte(`[]`)); err == nil {
		t.Error("another answer is a status")
	}
}
