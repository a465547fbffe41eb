package main

import (
	"net/http"
	"testing"
)

// Pages of any origin may read the list of the HTTP lobby, at both of its ports, but no
// other answers of the lobby.
func TestListIsOpenToAnyOrigin(t *testing.T) {
	l := start(t, append(anywhere(), "-http", "127.0.0.1:0")...)
	for _, server := range []string{"web", "http"} {
		for path, want := range map[string]string{
			"/lobby/api/v1/games":                     "*",
			"/lobby/api/v1/game/AAAAAAB/request-join": "",
		} {
			r, err := http.Get("http://" + l.addr[server] + path)
			if err != nil {
				t.Fatal(err)
			}
			r.Body.Close()
			if got := r.Header.Get("Access-Control-Allow-Origin"); got != want {
				t.Errorf("%s %s: %q, want %q", server, path, got, want)
			}
		}
	}
}
