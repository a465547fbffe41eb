package main

import (
	"io"
	"strings"
	"testing"
)

// -health reports the health of the game: it fails before the first report, and where nothing
// listens.
func TestHealthExitsWithTheHealthOfTheGame(t *testing.T) {
	r := start(t, nil)
	check := func(addr string, want int, text string) {
		t.Helper()
		var stderr strings.Builder
		code := run(t.Context(), []string{"-health", addr}, nil, io.Discard, &stderr)
		if code != want || !strings.Contains(stderr.String(), text) {
			t.Errorf("%s: exit code %d, %q, want %d, %q", addr, code, &stderr, want, text)
		}
	}
	addr := strings.TrimPrefix(r.url, "http://")
	check(addr, exitFailed, "503")
	r.send(t, "PUT", "/v1/state", `{"name":"Duel"}`)
	check(addr, exitOK, "")
	check("127.0.0.1:1", exitFailed, "refused")
	check("a b", exitFailed, "invalid")
}
