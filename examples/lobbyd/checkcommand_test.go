package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The command check prints the errors in a file, and changes nothing.
func TestCheckCommandPrintsErrors(t *testing.T) {
	dir := t.TempDir()
	cert, key, _ := writeCertificate(t, dir)
	cache := filepath.Join(dir, "cache")
	for _, tt := range []struct{ file, want string }{
		{"", ": ok\n"},
		{"data = '" + dir + "/new'", ": ok\n"},
		{"motd = 1\nnosuch = 2", ":1:1: there is no motd"},
		{"grace = 'soon'", `"soon" is not a time`},
		{"[bans]\npatterns = ['(']", "missing closing )"},
		{"[warzone]\nrecord-port = 2100", "-layout21 and -layout20, which are off"},
		{"[admin]\nlisten = ':1'", "-admin-listen needs a token"},
		{"[warzone]\nhttp = ':443'\n[warzone.tls]\ncert = '" + cert + "'\nkey = '" + key + "'", ": ok\n"},
		{"[warzone]\nhttp = ':443'\n[warzone.tls]\ncert = '" + cert + "'\nkey = '" + cert + "'",
			"certificate of warzone.tls"},
		{"[warzone]\nhttp = ':443'\n[warzone.tls]\nacme = ['lobby.example']\ncache = '" + cache + "'", ": ok\n"},
		{"[cluster]\nnats = 'nats://127.0.0.1'\ntoken-file = '" + dir + "/none'", "no such file"},
	} {
		var said strings.Builder
		code := run(t.Context(), []string{"check", file(t, tt.file)}, nil, &said, &said)
		if isOK := tt.want == ": ok\n"; (code == exitOK) != isOK || !isOK && code != exitUsage ||
			!strings.Contains(said.String(), tt.want) {
			t.Errorf("%q: %d, %s, want %q", tt.file, code, said.String(), tt.want)
		}
	}
	for _, name := range []string{cache, filepath.Join(dir, "new")} {
		if _, err := os.Stat(name); err == nil {
			t.Errorf("it made %s", name)
		}
	}
	for _, args := range [][]string{{"check"}, {"check", filepath.Join(dir, "none")}, {"check", dir}} {
		if code := run(t.Context(), args, nil, io.Discard, io.Discard); code != exitUsage {
			t.Errorf("%q: exit code %d", args, code)
		}
	}
}
