package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Settings that would have no effect, and files that cannot be written, are errors.
func TestUnworkableSettingsAreRefused(t *testing.T) {
	dir := t.TempDir()
	cert, key, _ := writeCertificate(t, dir)
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	token := file(t, "0123456789abcdef")
	const gamespy = "[[gamespy.games]]\nname = 'gmtest'\nkey = 'HA6zkS'"
	for _, tt := range []struct{ file, args, want string }{
		{"", "-tls-cert " + cert + " -tls-key " + key, "the server of -warzone-http, which is off"},
		{"", "-acme lobby.example -acme-cache " + dir, "the server of -warzone-http, which is off"},
		{gamespy, "", "gamespy.games needs -gamespy2"},
		{"", "-gamespy 127.0.0.1:0", "need gamespy.games"},
		{"", "-record-port 2100", "-layout21 and -layout20, which are off"},
		{"", "-gamespy-list 127.0.0.1:0", "need gamespy.games"},
		{"", "-acme-cache " + dir, "-acme-cache is for the certificates of -acme"},
		{"", "-acme-directory https://127.0.0.1/", "-acme-directory is for -acme"},
		{"", "-trusted-proxy 127.0.0.1 -web off", "-web and -warzone-http, which are off"},
		{"", "-motd Hello -web off -warzone off", "-motd is for the Warzone lobbies"},
		{"", "-no-verify -web off -warzone off -text off -binary off -json off", "-no-verify is for the Warzone lobbies"},
		{"", "-pprof", "-pprof needs -admin"},
		{"", "-admin-token-file " + token, "-admin-token-file is for -admin-listen"},
		{"", "-name north", "-name is the name of a node"},
		{"", "-nats http://127.0.0.1", "-nats wants the URL"},
		{"", "-nats embedded -cluster 127.0.0.1:1", "-routes needs -peer"},
		{"", "-http 127.0.0.1:0 -acme lobby.example -acme-cache " + plain, "-acme-cache: "},
	} {
		args := append(anywhere(), strings.Fields(tt.args)...)
		if tt.file != "" {
			args = append(args, "-config", file(t, tt.file))
		}
		code, said := fails(t, args...)
		if code != exitUsage || !strings.Contains(said, tt.want) || strings.Contains(said, "stopped") {
			t.Errorf("%q, %s: exit code %d, %s, want %q", tt.file, tt.args, code, said, tt.want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".lobbyd-*")); len(left) > 0 {
		t.Errorf("left %q", left)
	}
}

// Settings with an effect are accepted.
func TestWorkableSettingsAreAccepted(t *testing.T) {
	start(t, append(anywhere(), "-data", filepath.Join(t.TempDir(), "new", "data"), "-layout20", "127.0.0.1:0",
		"-record-port", "2100")...)
}
