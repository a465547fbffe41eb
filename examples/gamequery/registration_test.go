package main

import (
	"net"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/porttest"
)

// A server registers with several masters, one of them by name. On most machines the
// name also has an IPv6 address, at which no master listens.
func TestSeveralMasters(t *testing.T) {
	for _, name := range []string{"gamespy2", "gameagent", "bomberman", "wztext", "wzjson"} {
		t.Run(name, func(t *testing.T) {
			args := []string{"serve", name, "127.0.0.1:0"}
			var lists [][]string
			for _, host := range []string{"localhost", "127.0.0.1"} {
				run, list := []string{"master", name, "127.0.0.1:0"}, []string{"list", name}
				at := ""
				if name == "gamespy2" {
					at = porttest.Unused(t)
					run, list = append(run, at), append(list, "-game", "gmtest", "-key", "HA6zkS")
				}
				master, _ := background(t, run...)
				if at == "" {
					at = master
				}
				lists = append(lists, append(list, at))
				_, port, _ := net.SplitHostPort(master)
				args = append(args, "-register", net.JoinHostPort(host, port))
			}
			_, stop := background(t, args...)
			for _, list := range lists {
				awaitRow(t, list)
			}
			if code, output := stop(); code != exitOK || strings.Contains(output, "not listed") || strings.Contains(output, "never") {
				t.Errorf("exit code %d, %s", code, output)
			}
		})
	}
}

// awaitRow waits until a command lists a game.
func awaitRow(t *testing.T, list []string) {
	t.Helper()
	eventually(t, func(_ int, stdout, _ string) bool { return strings.Contains(stdout, "127.0.0.1:") }, list...)
}

func TestRegisterRefuses(t *testing.T) {
	for _, tt := range []struct {
		args string
		code int
		want string
	}{
		{"serve warzone 127.0.0.1:0 -register 127.0.0.1:9 -register 127.0.0.1:10", exitUsage, "a game of warzone has one lobby"},
		{"serve wzhttp 127.0.0.1:0 -register http://127.0.0.1:9 -register http://127.0.0.1:10", exitUsage, "a game of wzhttp has one lobby"},
		{"serve gamespy2 127.0.0.1:0 -register [::1]:27900", exitFailed, "no IPv4 address"},
		{"serve gameagent 127.0.0.1:0 -register 127.0.0.1:9 -register :9", exitUsage, "the host is missing"},
		{"serve wztext 127.0.0.1:0 -register 127.0.0.1", exitUsage, "the port is missing"},
	} {
		code, _, stderr := gamequery(nil, strings.Fields(tt.args)...)
		if code != tt.code || !strings.Contains(stderr, tt.want) {
			t.Errorf("%s: exit code %d, %s", tt.args, code, stderr)
		}
	}
}
