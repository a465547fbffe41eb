package main

import (
	"net"
	"strings"
	"testing"
)

// query auto finds the protocol, and prints the command that uses it.
func TestQueryAutoFindsTheProtocol(t *testing.T) {
	t.Parallel()
	addr, stop := background(t, "serve", "sqp", "127.0.0.1:0", "-name", "Duel")
	defer stop()
	code, stdout, stderr := gamequery(nil, "query", "-timeout", "1m", "auto", addr)
	if code != exitOK || !strings.Contains(stdout, "Duel") ||
		stderr != "answered by: gamequery query sqp "+addr+"\n" {
		t.Errorf("exit code %d, %s%s", code, stderr, stdout)
	}
}

// query auto sends few datagrams, and none to another port than the one given.
func TestQueryAutoIsPolite(t *testing.T) {
	t.Parallel()
	silent, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	code, _, stderr := gamequery(nil, "query", "-timeout", "1ms", "auto", silent.LocalAddr().String())
	if code != exitFailed || !strings.Contains(stderr, "no answer in any protocol") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	var got []string
	b := make([]byte, 2048)
	for range 5 { // sqp, gamespy2 in two forms, gameagent in two
		n, _, err := silent.ReadFrom(b)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(b[:n]))
	}
	all := strings.Join(got, "")
	if !strings.HasPrefix(all, "\x00\x00\x00\x00\x00") || !strings.Contains(all, `\status\`) {
		t.Errorf("sent %q", got)
	}
	for _, flag := range []string{"-ask=plain", "-chunks=all", "-attempts=2"} {
		if code, _, stderr := gamequery(nil, "query", flag, "auto", "127.0.0.1:9"); code != exitUsage {
			t.Errorf("%s: exit code %d, %s", flag, code, stderr)
		}
	}
}
