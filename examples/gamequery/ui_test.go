package main

import (
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/browser"
)

// The browser gets servers from lists and by asking them.
func TestUISources(t *testing.T) {
	sqp, _ := background(t, "serve", "sqp", "-name", "Ours", "127.0.0.1:0")
	lobby, _ := background(t, "master", "warzone", "127.0.0.1:0")
	master, _ := background(t, "master", "gameagent", "127.0.0.1:0")
	u := browsing{
		asking:  asking{timeout: 500 * time.Millisecond, attempts: 3},
		servers: []string{"sqp=" + sqp, "sqp=127.0.0.1:1"},
		lists:   []string{"warzone=" + lobby, "gameagent=" + master},
		every:   time.Second,
	}
	u.chunks = 1
	favourites, err := browser.LoadFavourites("")
	if err != nil {
		t.Fatal(err)
	}
	sources, err := u.sources(newUICommand(sockets{}), favourites)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]browser.Entry{}
	for _, s := range sources {
		if err := s.Fetch(t.Context(), func(e browser.Entry) { found[e.Protocol+" "+e.Address] = e }); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
	if e := found["sqp "+sqp]; e.View.Name != "Ours" || e.RTT <= 0 || e.Err != nil {
		t.Errorf("%+v", e)
	}
	if e := found["sqp 127.0.0.1:1"]; e.Err == nil {
		t.Errorf("%+v", e)
	}
	if len(sources) != 3 || len(found) != 2 {
		t.Errorf("%d sources, found %v", len(sources), found)
	}
}

func TestUIRefuses(t *testing.T) {
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"ui"}, exitUsage, "nothing to show"},
		{[]string{"ui", "-list", "warzone"}, exitUsage, "PROTOCOL=ADDRESS"},
		{[]string{"ui", "-list", "sqp=127.0.0.1:1"}, exitUsage, "no master"},
		{[]string{"ui", "-server", "warzone=127.0.0.1:1"}, exitUsage, "queries"},
		{[]string{"ui", "-list", "warzone=127.0.0.1:1", "-every", "0s"}, exitUsage, "-every"},
		{[]string{"ui", "-list", "warzone=127.0.0.1:1"}, exitFailed, "needs a terminal"},
	} {
		code, _, stderr := gamequery(nil, tt.args...)
		if code != tt.code || !strings.Contains(stderr, tt.want) {
			t.Errorf("%v: exit code %d, %s", tt.args, code, stderr)
		}
	}
}
