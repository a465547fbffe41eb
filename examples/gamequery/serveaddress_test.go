package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"regexp"
	"strings"
	"testing"
)

// A server that listens at one address registers from there, over all protocols with masters over
// TCP.
func TestServeRegistersFromItsAddress(t *testing.T) {
	t.Parallel()
	if l, err := net.Listen("tcp", "127.0.31.3:0"); err != nil {
		t.Skip(err)
	} else {
		l.Close()
	}
	for _, proto := range []string{"warzone", "wzhttp", "wztext", "wzbinary", "wzjson", "bomberman"} {
		t.Run(proto, func(t *testing.T) {
			master, stopMaster := background(t, "master", proto, "127.0.0.1:0")
			if proto == "wzhttp" {
				master = "http://" + master
			}
			want, stop := background(t, "serve", proto, "127.0.31.3:0", "-register", master, "-name", "Duel", "-max", "4")
			if proto == "wzjson" {
				want = "127.0.31.3:2100"
			}
			isListed := func(code int, stdout, stderr string) bool {
				if code != exitOK {
					t.Fatalf("exit code %d, %s", code, stderr)
				}
				return strings.Contains(stdout, "Duel")
			}
			listed := eventually(t, isListed, "list", patient, proto, master)
			if proto == "wzhttp" {
				id := regexp.MustCompile(`(?m)^([A-Z0-9]+) .*Duel$`).FindStringSubmatch(listed)
				_, listed, _ = gamequery(nil, "list", patient, proto, "-join", id[1], master)
			}
			if !strings.Contains(listed, want+" ") {
				t.Errorf("want %s in\n%s", want, listed)
			}
			if code, output := stop(); code != exitOK || strings.Contains(output, "trying again") {
				t.Errorf("serve: exit code %d, %s", code, output)
			}
			stopMaster()
		})
	}
}

// A host that its lobby cannot reach, because their address families differ, prints the address
// that the lobby has tried.
func TestServeNamesItsAddress(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ proto, scheme, want string }{
		{"warzone", "", "nobody could join it at [::1]:"},
		{"wzhttp", "http://", "the lobby cannot reach the game at [::1]:"},
	} {
		t.Run(tt.proto, func(t *testing.T) {
			for _, addr := range []string{"127.0.31.3:0", "[::1]:0"} {
				l, err := net.Listen("tcp", addr)
				if err != nil {
					t.Skip(err)
				}
				l.Close()
			}
			master, _ := background(t, "master", tt.proto, "[::1]:0")
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			r, w := io.Pipe()
			go func() {
				args := []string{"serve", tt.proto, "127.0.31.3:0", "-register", tt.scheme + master}
				runContext(ctx, args, strings.NewReader(""), io.Discard, w)
				w.Close()
			}()
			var all []string
			for lines := bufio.NewScanner(r); lines.Scan(); {
				all = append(all, lines.Text())
				if strings.Contains(lines.Text(), tt.want) {
					cancel()
				}
			}
			if got := strings.Join(all, "\n"); !strings.Contains(got, tt.want) {
				t.Errorf("printed %s", got)
			}
		})
	}
}
