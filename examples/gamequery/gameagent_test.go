package main

import (
	"fmt"
	"strings"
	"testing"
)

const gameagentGolden = "../../gameagent/testdata/golden/"

// The packets of a players answer are decoded in any order, and encoding restores them.
func TestGameAgentSplitPlayers(t *testing.T) {
	first, last := gameagentGolden+"players_split_first.hex", gameagentGolden+"players_split_last.hex"
	code, text, stderr := gamequery(nil, "decode", "gameagent.Players", last, first)
	if code != exitOK || strings.Count(text, `"name"`) != 16 {
		t.Fatalf("exit code %d, %s%s", code, stderr, text)
	}
	code, whole, stderr := gamequery([]byte(text), "encode", "gameagent.Players")
	if want := string(goldenFile(t, first).data) + string(goldenFile(t, last).data); code != exitOK || whole != want {
		t.Errorf("encode exits with %d, %s, and gives\n%q, want\n%q", code, stderr, whole, want)
	}

	code, _, stderr = gamequery(nil, "decode", "gameagent.Players", last, last)
	if code != exitFailed || !strings.HasSuffix(stderr, "packets missing, counted from 0: [0]\n") {
		t.Errorf("exit code %d, standard error %q", code, stderr)
	}
	code, explained, stderr := gamequery(nil, "explain", "gameagent.Players", last, first)
	if code != exitOK || !strings.HasPrefix(explained, "# "+last+"\n") {
		t.Errorf("explain exits with %d, %s", code, stderr)
	}
}

func TestGameAgentLongServerList(t *testing.T) {
	var servers []string
	for i := range 400 {
		servers = append(servers, fmt.Sprintf(`"10.0.0.%d:%d"`, i%100, 25600+i))
	}
	text := `{"servers":[` + strings.Join(servers, ",") + `]}`
	code, _, stderr := gamequery([]byte(text), "encode", "gameagent.ServerList")
	if code != exitFailed || stderr != "gamequery: gameagent: servers: limit exceeded: 400, at most 170\n" {
		t.Errorf("one packet: exit code %d, %s", code, stderr)
	}
	code, packets, stderr := gamequery([]byte(text), "encode", "-packets", "gameagent.ServerList")
	if code != exitOK || strings.Count(packets, "\n") != 3 {
		t.Errorf("exit code %d, %s; %d packets, want 3", code, stderr, strings.Count(packets, "\n"))
	}
	code, joined, stderr := gamequery(nil, "decode", "gameagent.ServerList",
		gameagentGolden+"server_list_one.hex", gameagentGolden+"server_list_two.hex")
	if code != exitOK || strings.Count(joined, ":") < 3 {
		t.Errorf("joined: exit code %d, %s%s", code, stderr, joined)
	}
}

// The JSON of a choice names the message, and encode uses that name.
func TestChoice(t *testing.T) {
	for _, file := range []string{"join", "heartbeat_right", "legacy_heartbeat", "unknown"} {
		path := gameagentGolden + file + ".hex"
		g := goldenFile(t, path)
		code, text, stderr := gamequery(nil, "decode", "gameagent.ToMaster", path)
		if want := "{\n  \"message\": \"" + g.name() + `"`; code != exitOK || !strings.HasPrefix(text, want) {
			t.Errorf("%s: exit code %d, %s%s", file, code, stderr, text)
		}
		code, encoded, stderr := gamequery([]byte(text), "encode", "gameagent.ToMaster")
		if code != exitOK || encoded != string(g.data) {
			t.Errorf("%s: encode exits with %d, %s, and gives %q", file, code, stderr, encoded)
		}
	}
}
