package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/cli"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// A running is a sidecar of a test.
type running struct {
	*sidecar
	url string // of the interface
}

// free is the address of a free port on loopback.
const free = "127.0.0.1:0"

// start starts a sidecar with these flags on loopback. It ends with the test.
func start(t *testing.T, stdin io.Reader, args ...string) running {
	t.Helper()
	args = append([]string{"-state", free, "-sqp", free, "-gamespy2", free, "-gameagent", free}, args...)
	o, err := load(args, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return startWith(t, stdin, o)
}

// startWith starts a sidecar with options.
func startWith(t testing.TB, stdin io.Reader, o options) running {
	t.Helper()
	logged, log := io.Pipe()
	go func() {
		for s := bufio.NewScanner(logged); s.Scan(); {
			t.Log(s.Text())
		}
	}()
	s, err := open(o, stdin, log)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		log.Close()
	})
	r := running{sidecar: s}
	if s.feed != nil {
		r.url = "http://" + s.feed.Addr().String()
	}
	return r
}

// at returns the address at which a protocol answers.
func (r running) at(protocol string) string {
	for _, a := range r.answers {
		if a.Protocol == protocol {
			return a.Conn.LocalAddr().String()
		}
	}
	return ""
}

// send sends a request to the interface, and returns the status and the body of the answer.
func (r running) send(t *testing.T, method, path, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, r.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

// views returns what clients of the three protocols see.
func (r running) views(t *testing.T) map[string]lobbywire.View {
	t.Helper()
	bySQP, err := new(sqpnet.Client).Query(t.Context(), r.at("sqp"), sqp.AllChunks)
	if err != nil {
		t.Fatal(err)
	}
	byGameSpy, err := new(gamespy2net.Client).Query(t.Context(), r.at("gamespy2"))
	if err != nil {
		t.Fatal(err)
	}
	byGameAgent, err := new(gameagentnet.Client).FullStatus(t.Context(), r.at("gameagent"))
	if err != nil {
		t.Fatal(err)
	}
	return map[string]lobbywire.View{
		"sqp": bySQP.Message.View(), "gamespy2": byGameSpy.View(), "gameagent": byGameAgent.Message.View(),
	}
}

// summary contains the values of a game that all protocols can carry.
func summary(v lobbywire.View) string {
	text := v.Name + " on " + v.Map + ":"
	for _, p := range v.Roster {
		text += " " + p.Name
	}
	return text
}

// After each report, every protocol answers with the new state.
func TestReportsChangeEveryProtocol(t *testing.T) {
	r := start(t, nil)
	for _, step := range []struct {
		method, body, want string
		code               int
	}{
		{"PUT", `{"name":"Duel","map":"harbor","port":7777,"max":16,"roster":[{"name":"Ann","score":3}]}`,
			"Duel on harbor: Ann", 204},
		{"PATCH", `{"roster":[{"name":"Ann"},{"name":"Bob"}]}`, "Duel on harbor: Ann Bob", 204},
		{"PATCH", `{"map":"mill","roster":[{"name":"Bob"}]}`, "Duel on mill: Bob", 204},
		{"PUT", `{"nmae":"x"}`, "Duel on mill: Bob", 400},
		{"PUT", `{"name":"New","map":"pier"}`, "New on pier:", 204},
	} {
		if code, text := r.send(t, step.method, "/v1/state", step.body); code != step.code {
			t.Fatalf("%s %s: status %d, %s", step.method, step.body, code, text)
		}
		got, want := map[string]string{}, map[string]string{}
		for protocol, v := range r.views(t) {
			got[protocol], want[protocol] = summary(v), step.want
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("after %s %s (-want +got):\n%s", step.method, step.body, diff)
		}
	}
}

// Names that a protocol cannot carry do not affect the others, and are part of the
// status.
func TestHostileNamesAffectOneProtocol(t *testing.T) {
	r := start(t, nil)
	code, text := r.send(t, "PUT", "/v1/state",
		`{"name":"a\\b\u0000;","roster":[{"name":"\u0000\\\u0007final\\"},{"name":""},{"name":"`+
			strings.Repeat("x", 3000)+`"}]}`)
	if code != http.StatusNoContent {
		t.Fatal(code, text)
	}
	for protocol, v := range r.views(t) {
		if len(v.Roster) != 3 {
			t.Errorf("%s: %d players", protocol, len(v.Roster))
		}
	}
	_, text = r.send(t, "GET", "/v1/status", "")
	for _, want := range []string{`"roster[0].name"`, `"roster[2].name"`, `"queries":`} {
		if !strings.Contains(text, want) {
			t.Errorf("status %s, want %s", text, want)
		}
	}
}

// Wrong flags are refused, before a socket is open.
func TestRefusesWrongFlags(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{}, "nothing to do"},
		{[]string{"-sqp", free, "x"}, `"x" is not a flag`},
		{[]string{"-nosuch"}, "nosuch"},
		{[]string{"-sqp", free, "-config", "nosuch.toml"}, "nosuch.toml"},
		{[]string{"-sqp", free, "-token-file", "nosuch"}, "nosuch"},
		{[]string{"-sqp", "7778"}, `-sqp "7778" is a port: write :7778`},
		{[]string{"-gamespy2", "29900"}, `-gamespy2 "29900" is a port: write :29900`},
		{[]string{"-gameagent", "25601"}, `-gameagent "25601" is a port: write :25601`},
		{[]string{"-sqp", "localhost"}, "write host:port"},
		{[]string{"-sqp", ":99999"}, "a number from 0 to 65535"},
		{[]string{"-sqp", free, "-status", "9000"}, `-status "9000" is a port: write :9000`},
		{[]string{"-sqp", free, "-state", "7790"}, `-state "7790" is a port: write :7790`},
		{[]string{"-sqp", free, "-state", ":99999"}, "a number from 0 to 65535"},
		{[]string{"-sqp", free, "-from", "gamespy2=29900"}, "29900 is a port: write HOST:29900"},
		{[]string{"-gameagent", free, "-register", "gameagent=9005"}, "9005 is a port: write HOST:9005"},
	} {
		var stderr strings.Builder
		code := run(t.Context(), tt.args, nil, io.Discard, &stderr)
		if code != exitUsage || !strings.Contains(stderr.String(), tt.want) {
			t.Errorf("%q: exit code %d, %s; want %q", tt.args, code, &stderr, tt.want)
		}
	}
}

// Without a token, the game cannot report from another machine.
func TestOnlyThisMachineReports(t *testing.T) {
	o := options{State: "0.0.0.0:0", SQP: "127.0.0.1:0"}
	if _, err := open(o, nil, io.Discard); err == nil || !strings.Contains(err.Error(), "token") {
		t.Errorf("listens at %s without a token: error %v", o.State, err)
	}
	o.token = strings.Repeat("x", cli.MinSecret)
	s, err := open(o, nil, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	s.close()
}
