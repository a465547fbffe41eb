package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/internal/browser"
)

// With -ask full, native servers of GameAgent have a roster in all commands.
func TestFullStatus(t *testing.T) {
	addr, stop := background(t, "serve", "gameagent", "127.0.0.1:0", "-players", "2")
	defer stop()
	for _, command := range []string{"query", "scan"} {
		code, stdout, stderr := gamequery(nil, command, "-json", "-ask", "full", "gameagent", addr)
		checkLines(t, stdout)
		if code != exitOK || !strings.Contains(stdout, `"roster":[{"name":"Ada"`) || !strings.Contains(stdout, `"map":"Yard"`) {
			t.Errorf("%s: exit code %d, %s%s", command, code, stderr, stdout)
		}
	}
	code, stdout, stderr := gamequery(nil, "query", "-ask", "full", "gameagent", addr)
	if code != exitOK || !strings.Contains(stdout, "Yard") || !strings.Contains(stdout, "Grace") {
		t.Errorf("exit code %d, %s%s", code, stderr, stdout)
	}
	code, stdout, stderr = gamequery(nil, "scan", "-template", "{{.name}}", "-ask", "full",
		"-filter", `any(roster, .name == "Grace")`, "gameagent", addr)
	if code != exitOK || stdout != "A test server\n" {
		t.Errorf("-filter: exit code %d, %s%s", code, stderr, stdout)
	}
}

func TestFullStatusInUI(t *testing.T) {
	addr, stop := background(t, "serve", "gameagent", "127.0.0.1:0", "-players", "2")
	defer stop()
	u := browsing{servers: []string{"gameagent=" + addr}, every: 1}
	u.Ask, u.Timeout, u.Attempts = "full", 1e9, 3
	sources, err := u.sources(newUICommand(u.Sockets), new(browser.Favourites))
	if err != nil {
		t.Fatal(err)
	}
	var found []browser.Entry
	err = sources[0].Fetch(t.Context(), func(e browser.Entry) { found = append(found, e) })
	if err != nil || len(found) != 1 || len(found[0].View.Roster) != 2 {
		t.Errorf("%+v, %v", found, err)
	}
	code, _, stderr := gamequery(nil, "ui", "-ask", "full", "-server", "sqp="+addr)
	if code != exitUsage || !strings.HasPrefix(stderr, "gamequery: -ask full is for nothing that is shown\n") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

// A scan of a game uses the form of query that the table names for it.
func TestScanAsksOfGames(t *testing.T) {
	p, _ := protocols.Named("unrealtournament")
	if asks := protocols.ScanAsks(p); !slices.Equal(asks, []string{"legacy", "status", "full"}) {
		t.Errorf("asks %q", asks)
	}
}
