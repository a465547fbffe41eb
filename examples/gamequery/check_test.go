package main

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check/tricks"
	"github.com/lobbywire/lobbywire/examples/internal/programtest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// The test servers and masters of the program pass the cases of their protocol. The
// report is as its schema describes.
func TestOurServersPassCheck(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ command, protocol, check string }{
		{"serve", "sqp", "auto"}, {"serve", "gamespy2", "gamespy2"}, {"serve", "gameagent", "gameagent"},
		{"serve", "minecraft", "minecraft"}, {"master", "bomberman", "bomberman"}, {"master", "warzone", "warzone"},
	} {
		t.Run(tt.protocol, func(t *testing.T) {
			t.Parallel()
			passes(t, func(timeout string) []string {
				addr, stop := background(t, tt.command, tt.protocol, "127.0.0.1:0")
				defer stop()
				return checked(t, "-timeout", timeout, tt.check, addr)
			})
		})
	}
}

// passes calls try as inTime does, but once in the long suite, so that what fails at times shows.
func passes(t *testing.T, try func(timeout string) (wrong []string)) {
	t.Helper()
	if !suite.IsLong() {
		inTime(t, try)
		return
	}
	for _, text := range try("5s") {
		t.Error(text)
	}
}

// checked returns what is wrong with a report of a server or master that passes check.
func checked(t *testing.T, args ...string) (wrong []string) {
	t.Helper()
	code, stdout, stderr := gamequery(nil, append([]string{"check", "-json"}, args...)...)
	var v any
	if err := json.Unmarshal([]byte(stdout), &v); err != nil {
		return []string{fmt.Sprintf("%v: %s%s", err, stdout, stderr)}
	}
	if err := programtest.ParseSchema(t, check.Schema).Check("", v); err != nil {
		wrong = append(wrong, err.Error())
	}
	if code != exitOK || strings.Contains(stdout, `"result":"fail"`) || !strings.Contains(stdout, `"result":"pass"`) {
		wrong = append(wrong, fmt.Sprintf("exit code %d, %s%s", code, stdout, stderr))
	}
	return wrong
}

// The test masters of the program pass the cases of their protocol, with their usual
// limits. The report is as its schema describes.
func TestOurMastersPassCheck(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		protocol, cases string
	}{
		{"gamespy2", "gamespy2-master/1.[1-6]"},
		{"gameagent", suite.Pick("gameagent-master/[16].1", "gameagent-master/[16].1*")}, // 6.11 takes 8 s
	} {
		t.Run(tt.protocol, func(t *testing.T) {
			t.Parallel()
			passes(t, func(timeout string) []string {
				list := programtest.UnusedAddr(t)
				addr, stop := background(t, "master", tt.protocol, "127.0.0.1:0", list)
				defer stop()
				return checked(t, "-master", "-timeout", timeout, "-case", tt.cases, tt.protocol, addr, list)
			})
		})
	}
}

// A server in another state than expected fails, with the bytes, and in a report of
// JUnit.
func TestCheckFailsForAnotherState(t *testing.T) {
	t.Parallel()
	addr, stop := background(t, "serve", "sqp", "127.0.0.1:0", "-name", "Duel", "-players", "3")
	defer stop()
	dir := t.TempDir()
	expect, junit := filepath.Join(dir, "state.json"), filepath.Join(dir, "report.xml")
	const mode = 0o600
	if err := os.WriteFile(expect, []byte(`{"name":"Duel","players":4}`), mode); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := gamequery(nil, "check", "-timeout=5s", "-expect", expect, "-junit", junit,
		"-case", "sqp/[16].*", "sqp", addr)
	if code != exitFailed || !strings.Contains(stderr, "1 case of the level must failed") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	for _, want := range []string{
		"FAIL     must    sqp/6.0 ", "players is 3, want 4", "serverInfo.currentPlayers = 3",
		"sqp: must 15 of 16 pass\n", "players  3/16",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
	text, err := os.ReadFile(junit)
	if err != nil {
		t.Fatal(err)
	}
	var report struct {
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	if err := xml.Unmarshal(text, &report); err != nil {
		t.Fatal(err)
	}
	if report.Failures != 1 || len(report.Cases) != report.Tests ||
		!strings.Contains(failure(report.Cases), "players is 3, want 4") {
		t.Errorf("%s", text)
	}
}

type junitCase struct {
	Name    string `xml:"name,attr"`
	Failure *struct {
		Message string `xml:"message,attr"`
	} `xml:"failure"`
}

// failure returns the message of the case that failed.
func failure(cases []junitCase) string {
	for _, c := range cases {
		if c.Failure != nil {
			return c.Failure.Message
		}
	}
	return ""
}

// A server that is down is an error in the JUnit report, which replaces an earlier report.
func TestDownServerIsAJUnitError(t *testing.T) {
	junit := filepath.Join(t.TempDir(), "report.xml")
	const mode = 0o600
	if err := os.WriteFile(junit, []byte("green"), mode); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := gamequery(nil, "check", "-timeout=200ms", "-attempts=1", "-junit", junit, "sqp", "127.0.0.1:1")
	text, err := os.ReadFile(junit)
	if code != exitFailed || err != nil || !strings.Contains(string(text), "<error message=") ||
		!strings.Contains(string(text), `errors="1"`) {
		t.Errorf("exit code %d, %v, %s%s", code, err, stderr, text)
	}
}

// -fail, -skip and -case decide which cases run, and which of them fail the run.
func TestCheckFlagsChooseCases(t *testing.T) {
	t.Parallel()
	addr, stop := background(t, "serve", "sqp", "127.0.0.1:0", "-players", "100")
	defer stop()
	for _, tt := range []struct {
		args   []string
		code   int
		stdout string
	}{
		{[]string{"-case", "sqp/4.1"}, exitOK, "sqp: should 0 of 1 pass\n"},
		{[]string{"-case", "sqp/4.1", "-fail", "should"}, exitFailed, "sqp: should 0 of 1 pass\n"},
		{[]string{"-case", "sqp/4.*", "-fail", "should", "-skip", "sqp/4.1"}, exitOK, "sqp: must 1 of 1 pass\n"},
		{[]string{"-case", "sqp/4.2", "-case", "sqp/1.1"}, exitOK, "sqp: must 2 of 2 pass\n"},
		{[]string{"-case", "*", "-skip", "*4.1", "-fail", "robust"}, exitOK, " pass\n"},
	} {
		code, stdout, stderr := gamequery(nil, append(append([]string{"check", "-timeout=5s"}, tt.args...), "sqp", addr)...)
		if code != tt.code || !strings.HasSuffix(stdout, tt.stdout) {
			t.Errorf("%q: exit code %d, %s%s", tt.args, code, stdout, stderr)
		}
	}
}

// The case of the expected state may be the only one.
func TestExpectedStateCanBeTheOnlyCase(t *testing.T) {
	t.Parallel()
	addr, stop := background(t, "serve", "sqp", "127.0.0.1:0", "-name", "Duel")
	defer stop()
	code, stdout, stderr := gamequery([]byte(`{"name":"Duel"}`), "check", "-timeout=5s", "-expect", "-",
		"-case", "sqp/6.0", "sqp", addr)
	if code != exitOK || !strings.Contains(stdout, "must 1 of 1 pass") {
		t.Errorf("exit code %d, %s%s", code, stdout, stderr)
	}
}

func TestCheckRefusesWrongUsage(t *testing.T) {
	silent := netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), 1).String()
	addr, stop := background(t, "serve", "sqp", "127.0.0.1:0")
	defer stop()
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"sqp"}, exitUsage, "want a PROTOCOL and an ADDRESS"},
		{[]string{"wzjson", addr}, exitUsage, "wzjson has no cases"},
		{[]string{"-fail", "never", "sqp", addr}, exitUsage, "want must, should or robust"},
		{[]string{"sqp", silent}, exitFailed, "refused"},
		{[]string{"warzone", silent}, exitFailed, "refused"},
		{[]string{"-case", "x/*", "sqp", addr}, exitUsage, "no case of sqp matches"},
		{[]string{"-case", "[", "sqp", addr}, exitUsage, "syntax error in pattern"},
		{[]string{"-master", "sqp", addr}, exitUsage, "-master is for gamespy2 and gameagent"},
		{[]string{"-master", "warzone", addr}, exitUsage, "without it, masters of warzone are checked"},
		{[]string{"-master", "-set", "http://127.0.0.1/", "gamespy2", addr}, exitUsage, "has no -listen, -set or -expect"},
		{[]string{"-master", "-case", "x/*", "gamespy2", addr}, exitUsage, "no case of gamespy2-master matches"},
		{[]string{"-master", "gamespy2", "[::1]:1"}, exitFailed, "no IPv4 address"},
		{[]string{"-game", "x", "sqp", addr}, exitUsage, "-game and -key are for -master"},
		{[]string{"sqp", addr, addr}, exitUsage, "want a PROTOCOL and an ADDRESS"},
		{[]string{"-set", "127.0.0.1", "sqp", addr}, exitUsage, "want a URL"},
		{[]string{"-expect", "no such file", "sqp", addr}, exitFailed, "no such file"},
	} {
		code, _, stderr := gamequery(nil, append([]string{"check", "-timeout=2s"}, tt.args...)...)
		if code != tt.code || !strings.Contains(stderr, tt.want) {
			t.Errorf("%q: exit code %d, %s", tt.args, code, stderr)
		}
	}
	for _, state := range []string{`{"nmae":"x"}`, `[]`, ``} {
		code, _, stderr := gamequery([]byte(state), "check", "-expect", "-", "sqp", addr)
		if code != exitFailed || !strings.Contains(stderr, "-expect") {
			t.Errorf("%s: exit code %d, %s", state, code, stderr)
		}
	}
}

// A server that answers from another port is found.
func TestCheckFindsAnswersFromElsewhere(t *testing.T) {
	t.Parallel()
	asked, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	answers, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		buf := make([]byte, 100)
		for {
			_, from, err := asked.ReadFrom(buf)
			if err != nil {
				done <- err
				return
			}
			_, _ = answers.WriteTo([]byte{0, 1, 2, 3, 4}, from)
		}
	}()
	code, _, stderr := gamequery(nil, "check", "-timeout=200ms", "-attempts=1", "sqp", asked.LocalAddr().String())
	if want := "answers come from " + answers.LocalAddr().String(); code != exitFailed || !strings.Contains(stderr, want) {
		t.Errorf("exit code %d, %s, want %q", code, stderr, want)
	}
	asked.Close()
	answers.Close()
	<-done
}

// A client that shows what -listen sends passes its case.
func TestCheckListenJudgesClients(t *testing.T) {
	code, stdout, stderr := gamequery([]byte("nothing\n"), "check", "-listen", "-case", "sqp/client.13",
		"sqp", "127.0.0.1:0")
	if code != exitOK || !strings.Contains(stdout, "sqp client: must 1 of 1 pass") {
		t.Errorf("exit code %d, %s%s", code, stdout, stderr)
	}
	code, stdout, stderr = gamequery([]byte("Case 13\n"), "check", "-listen", "-case", "sqp/client.13",
		"sqp", "127.0.0.1:0")
	if code != exitFailed || !strings.Contains(stderr, "1 case of the level must failed") {
		t.Errorf("exit code %d, %s%s", code, stdout, stderr)
	}
}

// A client over TCP is checked by the same command.
func TestCheckListenJudgesClientsOverTCP(t *testing.T) {
	for _, protocol := range tricks.Streams() {
		for line, want := range map[string]int{"Case1": exitOK, "nothing": exitFailed} {
			code, stdout, stderr := gamequery([]byte(line+"\n"), "check", "-listen", "-case", protocol+"/client.1",
				protocol, "127.0.0.1:0")
			if code != want || !strings.Contains(stdout, "it must be shown as Case1") {
				t.Errorf("%s, %s: exit code %d, %s%s", protocol, line, code, stdout, stderr)
			}
		}
	}
	code, _, stderr := gamequery(nil, "check", "-listen", "auto", "127.0.0.1:0")
	if code != exitUsage || !strings.Contains(stderr, "-listen is for sqp") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}
