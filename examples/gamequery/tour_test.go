package main

import (
	"bytes"
	"context"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
)

func TestTourShowsEachProtocol(t *testing.T) {
	t.Parallel()
	start := time.Now()
	code, stdout, stderr := gamequery(nil, "tour")
	if took := time.Since(start); code != exitOK || stderr != "" || took > time.Minute {
		t.Fatalf("exit code %d after %v, %s\n%s", code, took, stderr, stdout)
	}
	for line := range strings.Lines(stdout) {
		line = strings.TrimSuffix(line, "\n")
		if utf8.RuneCountInString(line) > 80 || terminal.Printable(line) != line {
			t.Errorf("%q is not a line for a terminal of 80 columns", line)
		}
	}
	chapters := regexp.MustCompile(`(?m)^=== \d of \d: (\w+) ===\n`).FindAllStringSubmatchIndex(stdout, -1)
	shown := map[string]string{}
	for i, at := range chapters {
		end := len(stdout)
		if i+1 < len(chapters) {
			end = chapters[i+1][0]
		}
		shown[stdout[at[2]:at[3]]] = stdout[at[1]:end]
	}
	wants := map[string][]string{
		"sqp": {
			`gamequery query sqp ADDR\n`, `name +Duel\n`, `ADDR +:\d+ +T +12/12 +Teams +Yard +Crowd\n`,
			`answered 2, silent 0, lost 0`,
			`# client sends sqp.Request, length 8\n01 +# 0\+1 type = 1\n`,
			`04 44 75 65 6c +# 19\+5 serverInfo.serverName = "Duel"\n`,
		},
		"gamespy2": {
			`gamequery list gamespy2 -game gmtest -key HA6zkS ADDR\n`, `ADDR +:\d+ +1/2 +Duel +Rush +Duel\n`,
			`mapname +Rush\n`, `ADDR +:\d+ +T +1/2 +Duel +Rush +Duel\n`, `answered 2, silent 0, lost 0`,
			`fe fd +# 0\+2 magic = 65277\n09 +# 2\+1 type = 9\n`, `44 75 65 6c 00 +# 25\+5 info\[0\].value = "Duel"\n`,
		},
		"gameagent": {
			`gamequery browse gameagent ADDR\n`, `ADDR +:\d+ +T +1/2 +Duel +Rush +Duel\n`, `answered 2, silent 0, lost 0`,
			` 0 +Ada +0 +20\n`,
			`65 +# 0\+1 type = 101\n`, `7f 00 00 01 +# 1\+4 servers\[0\].addr = 127.0.0.1\n`,
		},
		"bomberman": {
			`ADDR +1/2 +open +Standard A +Duel\n`,
			`33 33 +# 0\+2 length = "33"\n`, `22 44 75 65 6c 22 +# \d+\+6 content.servers\[0\].name = "Duel"\n`,
		},
		"warzone": {
			`the lobby says: 200 ok, OK\n`, `ADDR +1/2 +1.0 +Rush +Ada +Duel\n`,
			`6c 69 73 74 +# 0\+4 command = "list"\n`, `44 75 65 6c 00 00 00 00 .. # 8\+64 games\[0\].name = "Duel"\n`,
		},
		"wzhttp": {
			`gamequery list warzone http://ADDR\n`, `[A-Z0-9]+ +1/2 +1.0 +Rush +Ada +Duel\n`,
			`ADDR +1/2 +1.0 +Rush +Ada +Duel\n`,
			`# client sends wzhttp.HTTPRequests, `, `22 68 65 61 64 65 72 22 +# \d+\+8 lines\[0\].type = "header"\n`,
		},
		"wztext": {
			`ADDR +\?/2 +open +Rush +Duel\n`, `gamequery list warzone ADDR\n`, `ADDR +0/2 +Rush +Duel\n`,
			`4c 49 53 54 09 +# 0\+5 command = "LIST"\n`, `44 75 65 6c 09 +# \d+\+5 games\[0\].name = "Duel"\n`,
		},
		"wzbinary": {
			`ADDR +\?/2 +open +Rush +Duel\n`,
			`01 2a +# 2\+2 filter = "\*"\n`, `04 44 75 65 6c +# \d+\+5 games\[0\].name = "Duel"\n`,
		},
		"wzjson": {
			`listed at port 2100, the usual one`, `127.0.0.1:2100 +\?/2 +T1 +Rush +Duel\n`,
			`22 6c 69 73 74 22 +# 46\+6 lobbyquery.query.command = "list"\n`,
			`22 44 75 65 6c 22 +# \d+\+6 lobbyquery.query.games\[0\].name = "Duel"\n`,
		},
	}
	for _, p := range protocols.All() {
		if len(wants[p.Name]) == 0 || !strings.Contains(shown[p.Name], "These bytes were sent:") {
			t.Errorf("%s: the tour does not show it", p.Name)
		}
		for _, want := range wants[p.Name] {
			pattern := strings.NewReplacer("ADDR", `127\.0\.0\.1:\d+`, " +T ", ` +\d+\.\d{3} `).Replace(want)
			if !regexp.MustCompile(pattern).MatchString(shown[p.Name]) {
				t.Errorf("%s: want %s in\n%s", p.Name, want, shown[p.Name])
			}
		}
	}
}

// An interrupt ends the tour at its next stop, and all servers are stopped.
func TestTourIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var stderr bytes.Buffer
	code := runContext(ctx, []string{"tour"}, nil, writerFunc(func(b []byte) (int, error) {
		cancel()
		return len(b), nil
	}), &stderr)
	if want := "gamequery: interrupted before the end\n"; code != exitFailed || stderr.String() != want {
		t.Errorf("exit code %d, %q, want %q", code, &stderr, want)
	}
}

func TestTourReportsBrokenOutput(t *testing.T) {
	r, w := io.Pipe()
	r.Close()
	var stderr bytes.Buffer
	code := run([]string{"tour"}, nil, w, &stderr)
	if code != exitFailed || !strings.Contains(stderr.String(), "closed pipe") {
		t.Errorf("exit code %d, %s", code, &stderr)
	}
}

type writerFunc func(b []byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// A tour of some protocols has no commands for the others.
func TestTourShowsOnlyTheNamedProtocols(t *testing.T) {
	code, stdout, stderr := gamequery(nil, "tour", "wztext", "SQP")
	if code != exitOK || stderr != "" {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	for text, want := range map[string]bool{
		"1 of 2: sqp": true, "2 of 2: wztext": true, "list wztext": true, "list warzone": false,
	} {
		if strings.Contains(stdout, text) != want {
			t.Errorf("%q: want %v in\n%s", text, want, stdout)
		}
	}
	for _, args := range [][]string{{"tour", "halo"}, {"tour", "sqp", "sqp"}} {
		if code, _, stderr := gamequery(nil, args...); code != exitUsage || !strings.Contains(stderr, "wztext") {
			t.Errorf("%v: exit code %d, %s", args, code, stderr)
		}
	}
}
