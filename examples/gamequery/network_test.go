package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// background runs the program until stop is called, which returns the exit code and the
// output on standard error. addr is the address on which the program listens.
func background(t *testing.T, args ...string) (addr string, stop func() (int, string)) {
	t.Helper()
	return backgroundTo(t, io.Discard, args...)
}

// backgroundTo is background with a writer for standard output.
func backgroundTo(t *testing.T, stdout io.Writer, args ...string) (addr string, stop func() (int, string)) {
	t.Helper()
	addr, _, stop = backgroundSaying(t, "", stdout, args...)
	return addr, stop
}

// backgroundSaying is backgroundTo with a channel that is closed once a line of standard
// error has text.
func backgroundSaying(t *testing.T, text string, stdout io.Writer, args ...string) (
	addr string, said <-chan struct{}, stop func() (int, string)) {
	t.Helper()
	if slices.Contains(args, "[::1]:0") {
		suite.IPv6(t)
	}
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	code, rest := make(chan int, 1), make(chan string, 1)
	go func() {
		code <- runContext(ctx, args, strings.NewReader(""), stdout, w)
		w.Close()
	}()
	lines := bufio.NewReader(r)
	line, err := lines.ReadString('\n')
	found := regexp.MustCompile(` on (\S+);`).FindStringSubmatch(line)
	if err != nil || found == nil {
		cancel()
		t.Fatalf("%v: %q, %v", args, line, err)
	}
	saying := make(chan struct{})
	go func() {
		var all strings.Builder
		for found := false; err == nil; {
			line, err = lines.ReadString('\n')
			all.WriteString(line)
			if !found && strings.Contains(line, text) {
				found = true
				close(saying)
			}
		}
		rest <- all.String()
	}()
	end := func() (int, string) {
		cancel()
		return <-code, <-rest
	}
	t.Cleanup(cancel)
	return found[1], saying, end
}

// eventually repeats a command until ok accepts its result, and returns standard output.
// It waits twice as long each time, because masters limit the rate of requests.
func eventually(t *testing.T, ok func(code int, stdout, stderr string) bool, args ...string) string {
	t.Helper()
	for wait := 10 * time.Millisecond; ; wait *= 2 {
		code, stdout, stderr := gamequery(nil, args...)
		if ok(code, stdout, stderr) {
			return stdout
		}
		if wait > 10*time.Second {
			t.Fatalf("%q: exit code %d, %s%s", args, code, stdout, stderr)
		}
		<-time.After(wait)
	}
}

// untilPrints repeats a command until it prints want, apart from the widths of columns.
// Standard error must always be wantErr.
func untilPrints(t *testing.T, want, wantErr string, args ...string) {
	t.Helper()
	eventually(t, func(code int, stdout, stderr string) bool {
		if code != exitOK || stderr != wantErr {
			t.Fatalf("%q: exit code %d, %q", args, code, stderr)
		}
		return blanks(stdout) == blanks(want)
	}, append(args, patient)...)
}

// blanks returns text with single spaces.
func blanks(text string) string { return regexp.MustCompile(` +`).ReplaceAllString(text, " ") }

// times matches durations, which differ from run to run.
var times = regexp.MustCompile(`[0-9]+\.[0-9]{3}`)

// withoutTimes replaces round trips in text by T, and removes padding before them.
func withoutTimes(text string) string {
	text = times.ReplaceAllString(text, "T")
	return regexp.MustCompile(` +T`).ReplaceAllString(text, " T")
}

func lines(all ...string) string { return strings.Join(all, "\n") + "\n" }

const hostileName = "Evil \x1b[2J\x07\u009b\nname\u202e 健太 שלום"

// shownName is hostileName in a table.
const shownName = "\u2068" + `Evil \x1b[2J\a\u009b\nname\u202e 健太 שלום` + "\u2069"

func TestQueryPrintsForPeople(t *testing.T) {
	for _, tt := range []struct {
		name  string
		serve []string
		query []string
		want  string
	}{
		{"sqp", []string{"sqp", "-name", hostileName, "-players", "1"},
			[]string{"sqp", "-chunks", "serverInfo|playerInfo"}, lines(
				"name     "+shownName,
				"map      Yard",
				"mode     Deathmatch",
				"version  1.0",
				"players  1/16",
				"address  127.0.0.1:PORT",
				"query    127.0.0.1:PORT",
				"rtt T ms, at attempt 1",
				"",
				"PLAYERS",
				"name  score  ping",
				"Ada       0    20",
			)},
		{"gamespy2", []string{"gamespy2", "-challenge", "off", "-map", "Gulf\tof", "-players", "0", "-max", "4"},
			[]string{"gamespy2", "-ask", "plain"}, lines(
				"name     A test server",
				"game     gamequery",
				`map      Gulf\tof`,
				"mode     Deathmatch",
				"version  1.0",
				"players  0/4",
				"address  127.0.0.1:PORT",
				"query    127.0.0.1:PORT",
				"rtt T ms, at attempt 1",
				"",
				"INFO",
				"hostname    A test server",
				"gamename    gamequery",
				"gamever     1.0",
				`mapname     Gulf\tof`,
				"gametype    Deathmatch",
				"numplayers  0",
				"maxplayers  4",
				"password    0",
				"hostport    PORT",
				"",
				"PLAYERS",
				"none",
				"",
				"TEAMS",
				"team_t  score_t",
				"Red           0",
				"Blue          0",
			)},
		{"gameagent", []string{"gameagent"}, []string{"gameagent"}, lines(
			"name     A test server",
			"game     serioussamse",
			"map      Yard",
			"mode     Deathmatch",
			"version  1.0",
			"players  3/16",
			"address  127.0.0.1:GAME",
			"query    127.0.0.1:PORT",
			"rtt T ms, at attempt 1",
		)},
		{"gameagent players", []string{"gameagent", "-players", "2"}, []string{"gameagent", "-ask", "players"}, lines(
			"players  2",
			"address  127.0.0.1:GAME",
			"query    127.0.0.1:PORT",
			"rtt T ms, at attempt 1",
			"",
			"PLAYERS",
			"slot  name   frags  ping",
			"   0  Ada        0    20",
			"   1  Grace      7    33",
		)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			addr, stop := background(t, append([]string{"serve"}, append(tt.serve, "127.0.0.1:0")...)...)
			code, stdout, stderr := gamequery(nil, append([]string{"query"}, append(tt.query, addr)...)...)
			if code != exitOK || stderr != "" {
				t.Errorf("exit code %d, %s", code, stderr)
			}
			_, port, _ := strings.Cut(addr, ":")
			n, err := strconv.Atoi(port)
			if err != nil {
				t.Fatal(err)
			}
			stdout = strings.NewReplacer(port, "PORT", strconv.Itoa(n-1), "GAME").Replace(withoutTimes(stdout))
			if diff := cmp.Diff(tt.want, stdout); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if code, output := stop(); code != exitOK || !strings.Contains(output, "received") {
				t.Errorf("serve: exit code %d, %q", code, output)
			}
		})
	}
}

func TestQueryPrintsJSON(t *testing.T) {
	for _, args := range [][]string{
		{"sqp"}, {"sqp", "-chunks=0x1f"}, {"gamespy2"}, {"gamespy2", "-ask=split"},
		{"gameagent"}, {"gameagent", "-ask=players"}, {"gameagent", "-ask=ping"}, {"gameagent", "-ask=legacy"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			serve := []string{"serve", args[0], "127.0.0.1:0"}
			if args[0] == "gamespy2" {
				serve = append(serve, "-challenge=offered")
			}
			addr, stop := background(t, serve...)
			defer stop()
			code, stdout, stderr := gamequery(nil, append(append([]string{"query", "-json"}, args...), addr)...)
			var got struct {
				RTT      float64
				Attempts int
			}
			err := json.Unmarshal([]byte(stdout), &got)
			if err != nil || code != exitOK || got.RTT <= 0 || got.Attempts != 1 || strings.Count(stdout, "\n") != 1 {
				t.Errorf("exit code %d, %v, %s%s", code, err, stdout, stderr)
			}
		})
	}
}

// queryPort returns the column QUERY for a server that answers at addr.
func queryPort(addr string) string { return addr[strings.LastIndexByte(addr, ':'):] }

func TestScanPrintsServers(t *testing.T) {
	t.Parallel() // like all tests that wait for a silent server, which need long timeouts on a busy machine
	addr, _ := background(t, "serve", "sqp", "[::1]:0", "-name", hostileName)
	silent, _ := background(t, "serve", "gamespy2", "127.0.0.1:0")
	list := filepath.Join(t.TempDir(), "targets")
	if err := os.WriteFile(list, []byte("# servers\n\n"+addr+" with a comment\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{addr}, {"-from", list}, {"-"}} {
		args = append([]string{"scan", "sqp", patient}, args...)
		code, stdout, stderr := gamequery([]byte(addr+"\n"), args...)
		if code != exitOK || !regexp.MustCompile(`^answered 1, silent 0, lost 0, in [0-9.]+ s\n$`).MatchString(stderr) {
			t.Errorf("%v: exit code %d, %q", args, code, stderr)
		}
		stdout = times.ReplaceAllString(stdout, "T.TTT")
		want := regexp.MustCompile(
			`^ADDRESS +QUERY +RTT/ms  PLAYERS  MODE        MAP   NAME\n\S+  :\d+ +T\.TTT     3/16  Deathmatch  Yard  (.*)\n$`)
		if found := want.FindStringSubmatch(stdout); found == nil || !strings.Contains(stdout, "\n"+addr+" ") ||
			found[1] != shownName {
			t.Errorf("%v:\n%s", args, stdout)
		}
	}
	var stdout string
	inTime(t, func(timeout string) []string {
		var code int
		var stderr string
		code, stdout, stderr = gamequery(nil, "scan", "-json", "sqp", "-timeout", timeout, "-attempts=1", addr, silent)
		if code != exitOK || strings.Count(stdout, "\n") != 2 || strings.ContainsAny(stdout, "\x1b\u009b\u202e") ||
			!strings.HasPrefix(stderr, "answered 1, silent 1, lost 0, in ") {
			return []string{fmt.Sprintf("exit code %d, %s%s", code, stdout, stderr)}
		}
		return nil
	})
	for line := range strings.Lines(stdout) {
		var got struct {
			Query, Name string
			Error       struct{ Code, Message string }
			Answer      struct{ ServerInfo struct{ ServerName string } }
		}
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Errorf("%v: %s", err, line)
		}
		switch {
		case got.Query == addr && got.Name == hostileName && got.Answer.ServerInfo.ServerName == hostileName:
		case got.Query == silent && got.Error.Code == "timeout" && got.Error.Message == "no answer in time":
		default:
			t.Errorf("unexpected %s", line)
		}
	}
}

// A network is scanned at all its addresses.
func TestScanQueriesAWholeNetwork(t *testing.T) {
	t.Parallel()
	addr, _ := background(t, "serve", "sqp", "127.0.0.1:0")
	_, port, _ := strings.Cut(addr, ":")
	inTime(t, func(timeout string) []string {
		code, stdout, stderr := gamequery(nil, "scan", "sqp", "127.0.0.0/30:"+port, "-csv", "-timeout", timeout, "-attempts=1")
		if code != exitOK || strings.Count(stdout, "\nsqp,") != 4 ||
			!strings.Contains(stdout, "sqp,"+addr+","+addr+",") || !strings.Contains(stderr, "answered 1, ") {
			return []string{fmt.Sprintf("exit code %d, %s%s", code, stdout, stderr)}
		}
		return nil
	})
}

// A gamespy2 server explains its challenge mode.
func TestServeExplainsChallenges(t *testing.T) {
	for mode, want := range map[string]string{
		"offered": "every client gets an answer", "required": "only clients that repeat a challenge",
		"off": "no client needs a challenge",
	} {
		_, stop := background(t, "serve", "gamespy2", "-challenge", mode, "127.0.0.1:0")
		if _, text := stop(); !strings.HasPrefix(text, "challenge "+mode+": "+want) {
			t.Errorf("%s: %s", mode, text)
		}
	}
}

// A line is printed as soon as a server answers, before the scan ends.
func TestScanPrintsWhileItRuns(t *testing.T) {
	addr, stop := background(t, "serve", "sqp", "127.0.0.1:0")
	defer stop()
	silent, stopSilent := background(t, "serve", "gamespy2", "127.0.0.1:0")
	defer stopSilent()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, w := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- runContext(ctx, []string{"scan", "-json", "-timeout=1h", "sqp", silent, addr}, nil, w, io.Discard)
	}()
	printed := bufio.NewReader(r)
	line, err := printed.ReadString('\n')
	if err != nil || !strings.Contains(line, addr) {
		t.Errorf("the first line: %q, %v", line, err)
	}
	cancel()
	line, err = printed.ReadString('\n')
	if err != nil || !strings.Contains(line, `"error":{"code":"interrupted",`) {
		t.Errorf("when interrupted: %q, %v", line, err)
	}
	select {
	case got := <-code:
		if got != exitFailed {
			t.Errorf("exit code %d after an interrupt", got)
		}
	case <-time.After(time.Minute):
		t.Fatal("the scan goes on after an interrupt")
	}
}

func TestMasterListsRegisteredServers(t *testing.T) {
	t.Parallel()
	master, stopMaster := background(t, "master", "gameagent", "127.0.0.1:0")
	for _, command := range []string{"list", "browse"} {
		code, stdout, stderr := gamequery(nil, command, "gameagent", patient, master)
		if code != exitOK || stdout != "" || stderr != "the list is empty\n" {
			t.Errorf("%s: exit code %d, %q, %q", command, code, stdout, stderr)
		}
	}
	addr, stop := background(t, "serve", "gameagent", "127.0.0.1:0", "-register", master, "-name", "Listed")
	eventually(t, func(_ int, stdout, _ string) bool { return stdout == addr+"\n" }, "list", "gameagent",
		"-queries", master)
	code, stdout, stderr := gamequery(nil, "browse", "gameagent", patient, master)
	if code != exitOK || !strings.Contains(stdout, " "+queryPort(addr)+" ") || !strings.HasSuffix(stdout, "Listed\n") ||
		!strings.HasPrefix(stderr, "answered 1,") {
		t.Errorf("exit code %d, %s%s", code, stdout, stderr)
	}
	code, stdout, _ = gamequery(nil, "list", "gameagent", "-json", patient, master)
	if code != exitOK || !strings.Contains(stdout, `"query":"`+addr+`",`) {
		t.Errorf("exit code %d, %s", code, stdout)
	}
	if code, output := stop(); code != exitOK || strings.Contains(output, "never") {
		t.Errorf("serve: exit code %d, %s", code, output)
	}
	if code, output := stopMaster(); code != exitOK || !strings.Contains(output, "listed 1 servers") {
		t.Errorf("master: exit code %d, %s", code, output)
	}
}

func TestExitCodesFollowTheNetwork(t *testing.T) {
	t.Parallel()
	closed := nettest.ClosedTCP(t)
	silent, stop := background(t, "serve", "gamespy2", "127.0.0.1:0")
	defer stop()
	for _, tt := range []struct {
		args string
		code int
		err  string
	}{
		{"query", 2, "want a PROTOCOL and an ADDRESS"},
		{"query quake 127.0.0.1:1", 2, "there are sqp, gamespy2, gameagent"},
		{"query sqp localhost", 2, "the port is missing"},
		{"query gamespy2 -chunks 1 127.0.0.1:1", 2, "-chunks is for sqp only"},
		{"query sqp -chunks 0x20 127.0.0.1:1", 2, "at least one"},
		{"query sqp -chunks none 127.0.0.1:1", 2, "at least one"},
		{"query sqp -timeout 0s 127.0.0.1:1", 2, "-timeout must be above 0"},
		{"query sqp -attempts 0 127.0.0.1:1", 2, "-attempts must be at least 1"},
		{"query sqp -ask status 127.0.0.1:1", 2, "-ask is not for sqp"},
		{"query gameagent -ask split 127.0.0.1:1", 2, "status, full, legacy, players, ping"},
		{"scan gameagent -ask players 127.0.0.1:1", 2, "it is status, full, legacy here"},
		{"query sqp -timeout 20ms -attempts 2 " + silent, 1, "check that it is the query port"},
		{"scan sqp -timeout 20ms -attempts 1 " + silent, 1, "no server answered"},
		{"scan", 2, "want a PROTOCOL and TARGETs"},
		{"scan sqp", 2, "no TARGET"},
		{"scan sqp 127.0.0.1:9-8", 2, "nor a range"},
		{"scan sqp -from does-not-exist", 1, "does-not-exist"},
		{"scan sqp -from " + os.DevNull, 1, "there are no TARGETs"},
		{"list sqp 127.0.0.1:1", 2, "sqp has no master"},
		{"discover", 2, "want a PROTOCOL"},
		{"discover sqp", 2, "sqp has no discovery"},
		{"list gameagent", 2, "a MASTER"},
		{"list gameagent -timeout 20ms -attempts 1 " + silent, 1, "no answer in time"},
		{"master sqp 127.0.0.1:0", 2, "sqp has no master"},
		{"master warzone -game gmtest 127.0.0.1:0", 2, "for gamespy2 and gameagent only"},
		{"serve gameagent -key secret 127.0.0.1:0", 2, "-key needs -game"},
		{"serve sqp -game duel 127.0.0.1:0", 2, "-game and -key are for gamespy2 and gameagent only"},
		{"query a2s 127.0.0.1:27015", 2,
			`no protocol or game "a2s"; there are sqp, gamespy2, gameagent. The protocols of Steam`},
		{"query Quake3 127.0.0.1:27960", 2, "are not in the library"},
		{"query -chunk all sqp 127.0.0.1:1", 2, "did you mean -chunks?"},
		{"list -ask plain gameagent 127.0.0.1:1", 2, "unknown flag"},
		{"browse -chunks all gameagent 127.0.0.1:1", 2, "unknown flag"},
		{"discover -ask plain gamespy2", 2, "-ask needs -browse"},
		{"query ut99 127.0.0.1:0", 2, "a port from 1"},
		{"query battlefeld2 127.0.0.1", 2, `no protocol or game "battlefeld2"; did you mean battlefield2?`},
		{"serve gameagent -name a\\b 127.0.0.1:0", 1, "choose another text or number"},
		{"master gameagent 127.0.0.1", 2, "write host:port"},
		{"master gameagent 9005", 2, "ADDRESS \"9005\" is a port: write :9005"},
		{"master gameagent 9005 :0", 2, "ADDRESS \"9005\" is a port: write :9005"},
		{"master gameagent :0 28900", 2, "LIST \"28900\" is a port: write :28900"},
		{"serve sqp 42001", 2, "write :42001"},
		{"serve sqp :99999", 2, "a number from 0 to 65535"},
		{"http 8080", 2, "write :8080"},
		{"watch -metrics 9912 sqp 127.0.0.1:1", 2, "-metrics \"9912\" is a port: write :9912"},
		{"list gameagent 28900", 2, "\"28900\" is a port: write HOST:28900"},
		{"query sqp 7778", 2, "\"7778\" is a port: write HOST:7778"},
		{"serve gamespy2 127.0.0.1:0 -register 27900", 2, "write HOST:27900"},
		{"master gameagent 127.0.0.1:0 127.0.0.1", 2, "write host:port"},
		{"master gameagent -key x 127.0.0.1:0", 2, "-key needs -game"},
		{"master warzone 127.0.0.1:0 127.0.0.1:0", 2, "for gamespy2 and gameagent only"},
		{"list warzone -key x 127.0.0.1:1", 2, "-key is not for warzone"},
		{"serve sqp -challenge off 127.0.0.1:0", 2, "for gamespy2 only"},
		{"serve gamespy2 -challenge maybe 127.0.0.1:0", 2, "off, offered or required"},
		{"serve sqp -players 65536 127.0.0.1:0", 2, "from 0 to 65535"},
		{"serve sqp -players 60000 127.0.0.1:0", 1, "fewer -players"},
		{"serve sqp -register 127.0.0.1:9 127.0.0.1:0", 2,
			"for gamespy2, gameagent, bomberman, warzone, wzhttp, wztext, wzbinary and wzjson only"},
		{"serve warzone 127.0.0.1:0", 2, "needs -register"},
		{"query warzone 127.0.0.1:1", 2, "warzone has no queries; sqp, gamespy2 and gameagent have"},
		{"serve bomberman -max 5 -register 127.0.0.1:9 127.0.0.1:0", 1, "players.max"},
		{"list bomberman " + closed, 1, "nothing listens there"},
		{"list warzone -queries 127.0.0.1:1", 2, "-queries is not for warzone"},
		{"list warzone -game gmtest 127.0.0.1:1", 2, "-game is for gamespy2 only"},
		{"list gamespy2 -game gmtest 127.0.0.1:1", 2, "gamespy2 needs -game and -key"},
		{"list gamespy2 -game gmtest -key x -legacy y 127.0.0.1:1", 2, "-legacy is not for gamespy2"},
		{"list gamespy2 -game gmtest -key x " + closed, 1, "nothing listens there"},
		{"browse gameagent", 2, "want a PROTOCOL and a MASTER"},
		{"browse quake 127.0.0.1:1", 2, "no protocol or game \"quake\"; there are gamespy2, gameagent"},
		{"query sqp 127.0.0.1:1-2", 2, "use scan for ranges of ports"},
		{"query bf2 ::1:x", 2, "write HOST:PORT or [IPv6]:PORT"},
		{"query warzone2100 127.0.0.1", 2, "warzone has no queries"},
		{"query unity 127.0.0.1", 2, "the port is missing"},
		{"list wztext 127.0.0.1", 2, "the port is missing"},
		{"list warzone 127.0.0.1:1-2", 2, "want one port"},
		{"games a b", 2, "one TEXT at most"},
		{"schema x", 2, "schema takes no arguments"},
		{"browse sqp 127.0.0.1:1", 2, "\"gamequery scan sqp TARGET...\" queries them"},
		{"browse warzone 127.0.0.1:1", 2, "\"gamequery list warzone MASTER\" prints it"},
		{"browse gameagent -timeout 20ms -attempts 1 " + silent, 1, "no answer in time"},
		{"tour halo", 2, "the tour shows each of"},
		{"list warzone " + closed, 1, "nothing listens there"},
		{"serve gamespy2 " + silent, 1, "choose another address"},
	} {
		t.Run(tt.args, func(t *testing.T) {
			code, stdout, stderr := gamequery(nil, strings.Fields(tt.args)...)
			if code != tt.code || !strings.Contains(stderr, tt.err) || stdout != "" {
				t.Errorf("exit code %d, want %d; want %q in\n%s%s", code, tt.code, tt.err, stderr, stdout)
			}
		})
	}
}

// Without -attempts, servers are queried as often as the library's clients do.
func TestAttemptsDefaultToTheLibrarys(t *testing.T) {
	t.Parallel()
	silent, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	for _, protocol := range []string{"sqp", "gamespy2", "gameagent"} {
		_, stdout, _ := gamequery(nil, "query", "-json", "-timeout=20ms", protocol, silent.LocalAddr().String())
		if !strings.Contains(stdout, `"attempts":4`) {
			t.Errorf("%s: %s", protocol, stdout)
		}
	}
}
