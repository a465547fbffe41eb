package main

import (
	"encoding/json"
	"io"
	"net"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/suite"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

// listedOverHTTP repeats list until it prints a game, and returns the output.
func listedOverHTTP(t *testing.T, proto, lobby string) string {
	t.Helper()
	return eventually(t, func(code int, stdout, stderr string) bool {
		if code != exitOK || stderr != "" {
			t.Fatalf("exit code %d, %q", code, stderr)
		}
		return !strings.Contains(stdout, "the list is empty")
	}, "list", patient, proto, lobby)
}

// hiddenOfName are the characters of hostileName that must not reach a terminal.
const hiddenOfName = "\x1b\x07\u009b\u202e"

func TestWZHTTPLobbyListsGames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ proto, at string }{{"warzone", "127.0.0.1:0"}, {"wzhttp", "[::1]:0"}} {
		lobby, stopLobby := background(t, "master", "wzhttp", tt.at)
		lobby = "http://" + lobby
		game, validated, stop := backgroundSaying(t, " validated", io.Discard, "serve", tt.proto, tt.at, "-register", lobby,
			"-name", hostileName, "-max", "4", "-version", "4.7.0")
		want := regexp.MustCompile(
			`^ID +PLAYERS +VERSION +MAP +HOST +NAME\n[A-Z0-9]+ +3/4 +4\.7\.0 +Yard +Ada +\S?Evil .*\n$`)
		if got := listedOverHTTP(t, tt.proto, lobby); !want.MatchString(got) || strings.ContainsAny(got, hiddenOfName) {
			t.Errorf("listed:\n%s", got)
		}
		code, stdout, _ := gamequery(nil, "list", patient, tt.proto, "-json", lobby)
		if code != exitOK || !strings.Contains(stdout, `"answer":{"type":"","id":"`) ||
			strings.ContainsAny(stdout, hiddenOfName) {
			t.Errorf("exit code %d, %s", code, stdout)
		}
		var listed struct {
			ID, Address string
			Answer      struct{ ID string }
		}
		if err := json.Unmarshal([]byte(stdout), &listed); err != nil || listed.ID == "" || listed.Address != "" {
			t.Errorf("%v, id %q, address %q", err, listed.ID, listed.Address)
		}
		id := listed.ID
		if id != listed.Answer.ID {
			t.Errorf("id %q, in the answer %q", id, listed.Answer.ID)
		}
		code, stdout, stderr := gamequery(nil, "list", patient, tt.proto, "-join", id, lobby)
		family := map[bool]string{false: "ip4", true: "ip6"}[strings.HasPrefix(tt.at, "[")]
		table := `^ADDRESS +TYPE +TOKEN\n` + regexp.QuoteMeta(game) + ` +tcp:` + family + ` +\S+\n$`
		if !regexp.MustCompile(table).MatchString(stdout) || code != exitOK {
			t.Errorf("exit code %d, %s\n%s", code, stderr, stdout)
		}
		code, stdout, _ = gamequery(nil, "list", patient, tt.proto, "-json", "-join", id, lobby)
		if !strings.Contains(stdout, `"address":"`+game+`",`) ||
			!strings.Contains(stdout, `"answer":{"type":"tcp:`+family+`",`) || code != exitOK {
			t.Errorf("exit code %d, %s", code, stdout)
		}
		<-validated
		code, output := stop()
		if !regexp.MustCompile(`(?m)^lobby \S+: listed: game \w+, tcp:`+family+` validated$`).MatchString(output) ||
			!strings.Contains(output, "announced 1 times, ") || code != exitOK {
			t.Errorf("serve: exit code %d, %s", code, output)
		}
		if code, output := stopLobby(); code != exitOK || !strings.HasPrefix(output, "listed 1 games, sent ") {
			t.Errorf("master: exit code %d, %s", code, output)
		}
	}
}

// Texts of lobbies for players and hosts do not control the terminal.
func TestTextsOfLobbiesAreClean(t *testing.T) {
	t.Parallel()
	listen := func() net.Listener {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	tcp, overHTTP := listen(), listen()
	lobby := &warzonenet.Lobby{MOTD: hostileName}
	go lobby.Serve(tcp)
	defer lobby.Close()
	httpLobby := &wzhttpnet.Lobby{MOTD: hostileName}
	defer httpLobby.Close()
	server := httpLobby.Server(nil)
	go server.Serve(overHTTP)
	defer server.Close()
	for _, at := range []string{tcp.Addr().String(), "http://" + overHTTP.Addr().String()} {
		_, told, stop := backgroundSaying(t, "Evil ", io.Discard, "serve", "warzone", "127.0.0.1:0", "-register", at)
		outputs := map[string]string{}
		outputs["list"] = eventually(t, func(code int, stdout, stderr string) bool {
			outputs["notes"] = stderr
			return code == exitOK && !strings.Contains(stdout, "the list is empty")
		}, "list", patient, "warzone", at)
		<-told // the lobby lists the game before it answers
		_, outputs["serve"] = stop()
		said := 0
		for name, output := range outputs {
			said += strings.Count(output, `Evil \x1b[2J\a\u009b\nname\u202e`)
			if strings.ContainsAny(output, hiddenOfName) {
				t.Errorf("%s, %s: %q", at, name, output)
			}
		}
		if said < 2 {
			t.Errorf("%s: the text is in %q", at, outputs)
		}
	}
}

func TestWrongLobbyURLsAreRefused(t *testing.T) {
	for _, tt := range []struct{ args, err string }{
		{"serve sqp 127.0.0.1:0 -register http://127.0.0.1:9", "-register http://127.0.0.1:9: for sqp it is host:port"},
		{"serve bomberman 127.0.0.1:0 -register http://127.0.0.1:9",
			"-register http://127.0.0.1:9: for bomberman it is host:port"},
		{"serve warzone 127.0.0.1:0 -register http://127.0.0.1:9 -release 3.0", "-release is not for lobbies over HTTP"},
		{"serve wzhttp 127.0.0.1:0", "wzhttp needs -register MASTER"},
		{"list warzone -join G 127.0.0.1:9", "-join is for the URL of a lobby"},
		{"list bomberman -join G http://127.0.0.1:9", "-join is for the URL of a lobby"},
	} {
		code, _, stderr := gamequery(nil, strings.Fields(tt.args)...)
		if code != exitUsage || !strings.Contains(stderr, tt.err) {
			t.Errorf("%s: exit code %d, %s", tt.args, code, stderr)
		}
	}
	if code, _, stderr := gamequery(nil, "list", "warzone", "ftp://127.0.0.1"); code != exitFailed ||
		!strings.Contains(stderr, "address: invalid value") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

// The curl commands in the help work as described.
func TestCurlCommandsWork(t *testing.T) {
	for _, used := range []string{"curl", "grep", "sed"} {
		suite.Program(t, used)
	}
	shell := suite.Program(t, "sh")
	help := helpText(t, "protocols")
	from, to := strings.Index(help, "LOBBY="), strings.Index(help, "\n\nBOMBERMAN")
	if from < 0 || to < from {
		t.Fatal("the help has no commands of curl")
	}
	commands := help[from:to]
	addr, _ := background(t, "master", "wzhttp", "127.0.0.1:0")
	background(t, "serve", "warzone", "127.0.0.1:0", "-register", "http://"+addr, "-name", "Duel")
	listedOverHTTP(t, "warzone", "http://"+addr)
	commands = strings.Replace(commands, "127.0.0.1:9980", addr, 1)
	out, err := exec.CommandContext(t.Context(), shell, "-c", commands).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	answers := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(answers) != 7 {
		t.Fatalf("%d answers:\n%s", len(answers), out)
	}
	if m, err := wzhttp.ParseListHeader([]byte(answers[0])); err != nil {
		t.Errorf("header: %v, %v", m, err)
	}
	if m, err := wzhttp.ParseGame([]byte(answers[1])); err != nil || m.Room.Name != "Duel" {
		t.Errorf("game: %+v, %v", m, err)
	}
	if m, err := wzhttp.ParseJoinReply([]byte(answers[2])); err != nil || len(m.Connections) != 1 ||
		m.Connections[0].Host != "127.0.0.1" {
		t.Errorf("addresses: %+v, %v", m, err)
	}
	for i, connections := range []int{1, 1, 0} {
		m, err := wzhttp.ParseStatus([]byte(answers[3+i]))
		if err != nil || m.Published || len(m.Connections) != connections {
			t.Errorf("status %d: %+v, %v", i, m, err)
		}
	}
	if m, err := wzhttp.ParseError([]byte(answers[6])); err != nil || m.Code != wzhttp.CodeGameNotFound {
		t.Errorf("error: %+v, %v", m, err)
	}
}
