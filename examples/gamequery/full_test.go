package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
)

// With -ask full, native servers of GameAgent have a roster in all commands.
func TestFullStatusHasARoster(t *testing.T) {
	addr, stop := background(t, "serve", "gameagent", "127.0.0.1:0", "-players", "2")
	defer stop()
	for _, command := range []string{"query", "scan"} {
		code, stdout, stderr := gamequery(nil, command, "-json", "-ask", "full", "gameagent", addr)
		checkLines(t, stdout)
		if code != exitOK || !strings.Contains(stdout, `"roster":[{"name":"Ada"`) ||
			!strings.Contains(stdout, `"map":"Yard"`) {
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

// A scan of a game uses the form of query in the table of games.
func TestScanUsesTheFormOfTheGame(t *testing.T) {
	p, _ := protocols.Named("unrealtournament")
	if asks := protocols.ScanAsks(p); !slices.Equal(asks, []string{"legacy", "status", "full"}) {
		t.Errorf("asks %q", asks)
	}
}

// The error for a -filter on a member that is not requested names the flag that it needs.
func TestFilterNamesTheFlagItNeeds(t *testing.T) {
	for _, tt := range []struct{ args, filter, want string }{
		{"scan gameagent 127.0.0.1:1", "len(roster) > 0", "roster; add -ask full"},
		{"browse gameagent 127.0.0.1:1", `any(roster, .name == "Ada")`, "roster; add -ask full"},
		{"scan sqp 127.0.0.1:1", "roster != nil", "roster; add -chunks 'serverInfo|playerInfo'"},
		{"scan sqp 127.0.0.1:1", `any(rules, .key == "x")`, "rules; add -chunks 'serverInfo|serverRules'"},
		{"scan -chunks playerInfo sqp 127.0.0.1:1", "len(teams) > 0", "teams; add -chunks 'playerInfo|teamInfo'"},
		{"scan -chunks all sqp 127.0.0.1:1", "len(teams) > 0", ""},
		{"scan -ask legacy gameagent 127.0.0.1:1", "len(roster) > 0", ""},
		{"scan -ask full gameagent 127.0.0.1:1", "len(roster) > 0", ""},
		{"scan gameagent 127.0.0.1:1", "len(rules) > 0 and players > 0", ""},
	} {
		args := append(strings.Fields(tt.args), "-filter", tt.filter, "-attempts", "1", "-timeout", "20ms")
		code, _, stderr := gamequery(nil, args...)
		refused := strings.HasPrefix(stderr, "gamequery: -filter: servers are not asked for "+tt.want+"\n")
		if tt.want != "" && (code != exitUsage || !refused) || tt.want == "" && code != exitFailed {
			t.Errorf("%s -filter %s: exit code %d, %s", tt.args, tt.filter, code, stderr)
		}
	}
}
