package main

import (
	"net"
	"strings"
	"testing"
	"time"
)

// A server registers with a gamespy2 master, is listed with its keys, and is removed
// when it stops. A server with another secret key reports why it is not listed.
func TestGameSpyMaster(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	list := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	master, stopMaster := background(t, "master", "gamespy2", "-game", "duel", "-key", "secret", "127.0.0.1:0", list)
	addr, stop := background(t, "serve", "gamespy2", "127.0.0.1:0", "-register", master, "-game", "duel", "-key", "secret", "-name", "Listed")
	_, stopOther := background(t, "serve", "gamespy2", "127.0.0.1:0", "-register", master, "-game", "duel", "-key", "wrong")

	listed := func(args ...string) string {
		code, stdout, stderr := gamequery(nil, append([]string{"list", "gamespy2", "-game", "duel", "-key", "secret", list}, args...)...)
		if code != exitOK {
			t.Fatalf("list: exit code %d, %s", code, stderr)
		}
		return stdout
	}
	await := func(isListed bool) (got string) {
		for end := time.Now().Add(10 * time.Second); time.Now().Before(end); {
			if got = listed(); strings.Contains(got, addr) == isListed {
				break
			}
		}
		return got
	}
	if got := await(true); !strings.Contains(got, addr) || !strings.Contains(got, "Listed") || !strings.Contains(got, "3/16") {
		t.Errorf("listed %q", got)
	}
	if got := listed("-masterfilter", "numplayers > 3"); strings.Contains(got, addr) {
		t.Errorf("the filter lists %q", got)
	}
	if code, output := stopOther(); code != exitOK || !strings.Contains(output, "not listed") {
		t.Errorf("serve: exit code %d, %s", code, output)
	}
	if code, output := stop(); code != exitOK || strings.Contains(output, "not listed") {
		t.Errorf("serve: exit code %d, %s", code, output)
	}
	if got := await(false); strings.Contains(got, addr) {
		t.Errorf("listed after the end: %q", got)
	}
	if code, output := stopMaster(); code != exitOK || !strings.Contains(output, "listed 0 servers") {
		t.Errorf("master: exit code %d, %s", code, output)
	}
}
