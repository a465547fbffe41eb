package main

import (
	"io"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/programtest"
)

// A server registers with a gamespy2 master, is listed with its keys, and is removed
// when it stops. A server with another secret key reports why it is not listed.
func TestGameSpyMasterListsItsServer(t *testing.T) {
	list := programtest.UnusedAddr(t)
	master, stopMaster := background(t, "master", "gamespy2", "-game", "duel", "-key", "secret", "127.0.0.1:0", list)
	addr, stop := background(t, "serve", "gamespy2", "127.0.0.1:0", "-register", master, "-game", "duel", "-key", "secret",
		"-name", "Listed")
	_, refused, stopOther := backgroundSaying(t, ": refused: ", io.Discard, "serve", "gamespy2", "127.0.0.1:0",
		"-register", master, "-game", "duel", "-key", "wrong")

	args := []string{"list", "gamespy2", "-game", "duel", "-key", "secret", list}
	await := func(isListed bool) string {
		return eventually(t, func(code int, stdout, stderr string) bool {
			if code != exitOK {
				t.Fatalf("list: exit code %d, %s", code, stderr)
			}
			return strings.Contains(stdout, addr) == isListed
		}, args...)
	}
	if got := await(true); !strings.Contains(got, "Listed") || !strings.Contains(got, "3/16") {
		t.Errorf("listed %q", got)
	}
	if code, got, stderr := gamequery(nil, append(args, "-masterfilter", "numplayers > 3")...); code != exitOK ||
		strings.Contains(got, addr) {
		t.Errorf("exit code %d, %s; the filter lists %q", code, stderr, got)
	}
	<-refused
	if code, output := stopOther(); code != exitOK {
		t.Errorf("serve: exit code %d, %s", code, output)
	}
	if code, output := stop(); code != exitOK || strings.Contains(output, "refused") {
		t.Errorf("serve: exit code %d, %s", code, output)
	}
	await(false)
	if code, output := stopMaster(); code != exitOK || !strings.Contains(output, "listed 0 servers") {
		t.Errorf("master: exit code %d, %s", code, output)
	}
}

// Without -game, the key is for the game that help names.
func TestKeyIsForTheDefaultGame(t *testing.T) {
	list := programtest.UnusedAddr(t)
	master, _ := background(t, "master", "gamespy2", "-key", "secret", "127.0.0.1:0", list)
	addr, _ := background(t, "serve", "gamespy2", "-key", "secret", "-register", master, "127.0.0.1:0")
	eventually(t, func(_ int, stdout, _ string) bool { return strings.Contains(stdout, addr) },
		"list", "gamespy2", "-game", "gmtest", "-key", "secret", list)
}

// A server of gameagent registers in the legacy form as the game that -game names.
func TestGameAgentRegistersAsAnotherGame(t *testing.T) {
	list := programtest.UnusedAddr(t)
	master, _ := background(t, "master", "gameagent", "-game", "ut", "-key", "abcdef", "127.0.0.1:0", list)
	addr, _ := background(t, "serve", "gameagent", "-game", "ut", "-key", "abcdef", "-register", master, "127.0.0.1:0")
	eventually(t, func(_ int, stdout, _ string) bool { return strings.Contains(stdout, addr) },
		"list", "gameagent", "-legacy", "ut", "-key", "abcdef", "-queries", list)
}
