package main

import (
	"bufio"
	"net/http"
	"strings"
	"testing"
)

// The page shows new games at once, and its streams end with lobbyd.
func TestPageShowsNewGamesAtOnce(t *testing.T) {
	t.Parallel()
	l := start(t, append(anywhere(), "-config", file(t, "web = { listen = '127.0.0.1:0', title = 'Our lobby' }"))...)
	r, err := http.Get("http://" + l.addr["web"] + "/api/events")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	registerBomberman(t, l, "seen at once")
	seen := false
	events := bufio.NewScanner(r.Body)
	events.Buffer(nil, 1<<20)
	for !seen && events.Scan() {
		seen = strings.Contains(events.Text(), "seen at once")
	}
	if !seen {
		t.Errorf("the stream ended: %v", events.Err())
	}
	if page := l.get(t, "/"); !strings.Contains(page, "Our lobby") {
		t.Errorf("the page is %s", page)
	}
	for _, name := range []string{"gameagent", "warzone", "bomberman", "json"} {
		if page := l.get(t, "/"); !strings.Contains(page, "<code>"+l.addr[name]+"</code>") {
			t.Errorf("the page does not say that %s is at %s", name, l.addr[name])
		}
	}
	if page := l.get(t, "/"); !strings.Contains(page, "<code>http://"+l.addr["web"]+"/lobby</code>") {
		t.Error("the page does not say where the HTTP lobby is")
	}
	if list := l.get(t, "/api/servers"); !strings.Contains(list, "seen at once") {
		t.Errorf("the API says %s", list)
	}
	if code := l.end(); code != exitOK {
		t.Errorf("exit code %d", code)
	}
	for events.Scan() { // until the stream ends
	}
}
