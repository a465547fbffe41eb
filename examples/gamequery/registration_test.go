package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/programtest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// A server registers with several masters, one of them by name. On most machines the
// name also has an IPv6 address, at which no master listens.
func TestServerRegistersWithSeveralMasters(t *testing.T) {
	t.Parallel()
	suite.Localhost(t)
	for _, name := range []string{"gamespy2", "gameagent", "bomberman", "wztext", "wzjson"} {
		t.Run(name, func(t *testing.T) {
			args := []string{"serve", name, "127.0.0.1:0"}
			var lists [][]string
			for _, host := range []string{"localhost", "127.0.0.1"} {
				run, list := []string{"master", name, "127.0.0.1:0"}, []string{"list", name}
				at := ""
				if name == "gamespy2" {
					at = programtest.UnusedAddr(t)
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
			code, output := stop()
			if code != exitOK || strings.Contains(output, "refused") || strings.Contains(output, "silent") {
				t.Errorf("exit code %d, %s", code, output)
			}
		})
	}
}

// A server with a master that cannot be found still registers with another one and answers
// clients. Serve prints at once why the server is not listed.
func TestServeSaysWhyItIsNotListed(t *testing.T) {
	t.Parallel()
	const nowhere = "nowhere..invalid:9" // no resolver is asked for a name with an empty label
	noHost := "nowhere..invalid: no such host"
	for _, tt := range []struct {
		name, master string
		flags, want  string
	}{
		{"gamespy2", nowhere, "", "master " + nowhere + ": unreachable: lookup " + noHost},
		{"gameagent", nowhere, "", "master " + nowhere + ": unreachable: lookup " + noHost},
		{"bomberman", nowhere, "", "master " + nowhere +
			": unreachable: dial tcp: lookup " + noHost},
		{"warzone", nowhere, "", "lobby " + nowhere + ": unreachable: dial tcp: lookup " + noHost},
		{"wzhttp", "http://" + nowhere, "", "lobby http://" + nowhere + ": unreachable: "},
		{"wztext", nowhere, "", "lobby " + nowhere + ": unreachable: dial tcp: lookup " + noHost},
		{"wzbinary", nowhere, "", "lobby " + nowhere + ": unreachable: dial tcp: lookup " + noHost},
		{"wzjson", nowhere, "", "lobby " + nowhere + ": unreachable: dial tcp: lookup " + noHost},
		{"gamespy2", "", "-game duel -key WRONG", ": refused: gamespy2net: the server is refused by the master"},
	} {
		t.Run(tt.name+tt.flags, func(t *testing.T) {
			args := append([]string{"serve", tt.name, "127.0.0.1:0"}, strings.Fields(tt.flags)...)
			if tt.master == "" {
				tt.master, _ = background(t, "master", tt.name, "127.0.0.1:0", programtest.UnusedAddr(t),
					"-game", "duel", "-key", "secret")
			}
			var list []string
			if tt.name != "warzone" && tt.name != "wzhttp" && tt.flags == "" {
				run := []string{"master", tt.name, "127.0.0.1:0"}
				list = []string{"list", tt.name}
				at := ""
				if tt.name == "gamespy2" {
					at = programtest.UnusedAddr(t)
					run, list = append(run, at), append(list, "-game", "gmtest", "-key", "HA6zkS")
				}
				other, _ := background(t, run...)
				if at == "" {
					at = other
				}
				list = append(list, at)
				args = append(args, "-register", other)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			r, w := io.Pipe()
			code := make(chan int, 1)
			go func() {
				code <- runContext(ctx, append(args, "-register", tt.master), strings.NewReader(""), io.Discard, w)
				w.Close()
			}()
			said := 0
			lines := bufio.NewScanner(r)
			for said == 0 && lines.Scan() {
				if strings.Contains(lines.Text(), tt.want) {
					said++
				}
			}
			if said == 0 {
				t.Fatalf("serve has ended with exit code %d", <-code)
			}
			rest := make(chan string, 1)
			go func() {
				text, _ := io.ReadAll(r)
				rest <- string(text)
			}()
			if list != nil {
				awaitRow(t, list)
			}
			cancel()
			if got := <-code; got != exitOK {
				t.Errorf("exit code %d", got)
			}
			if text := <-rest; strings.Contains(text, tt.want) {
				t.Errorf("said again: %s", text)
			}
		})
	}
}

// awaitRow waits until a command lists a game.
func awaitRow(t *testing.T, list []string) {
	t.Helper()
	eventually(t, func(_ int, stdout, _ string) bool { return strings.Contains(stdout, "127.0.0.1:") }, list...)
}

func TestRegisterRefusesWrongFlags(t *testing.T) {
	for _, tt := range []struct {
		args string
		code int
		want string
	}{
		{"serve warzone 127.0.0.1:0 -register 127.0.0.1:9 -register 127.0.0.1:10", exitUsage,
			"a game of warzone has one lobby"},
		{"serve wzhttp 127.0.0.1:0 -register http://127.0.0.1:9 -register http://127.0.0.1:10", exitUsage,
			"a game of wzhttp has one lobby"},
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
