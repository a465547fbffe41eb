package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/examples/sidecar/internal/api"
)

// limit bounds the wait for another goroutine or process.
const limit = 20 * time.Second

// eventually waits until a condition is true.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	within(t, limit, what, is)
}

// within waits for a time until a condition is true.
func within(t *testing.T, d time.Duration, what string, is func() bool) {
	t.Helper()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	end := time.After(d)
	for !is() {
		select {
		case <-end:
			t.Fatal("not in time: " + what)
		case <-look.C:
		}
	}
}

// isNamed returns whether the state has a name.
func (r running) isNamed(name string) func() bool {
	return func() bool { return r.state.Now().View.Name == name }
}

// Lines with errors change nothing, whatever they are.
func TestLinesWithErrorsChangeNothing(t *testing.T) {
	out, in := io.Pipe()
	defer in.Close()
	r := start(t, out, "-state", "-")
	for _, line := range []string{`{"name":"a"}`, "", "x", strings.Repeat("y", 3<<20), `{"name":"b"}`} {
		if _, err := io.WriteString(in, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "the last line", r.isNamed("b"))
	if n := r.state.Refused(); n != 2 {
		t.Errorf("%d lines refused, want 2", n)
	}
}

// The end of the standard input is the end of the sidecar.
func TestEndOfLinesEndsTheSidecar(t *testing.T) {
	code := run(t.Context(), []string{"-state", "-", "-sqp", "127.0.0.1:0"}, strings.NewReader(`{"name":"a"}`),
		io.Discard, io.Discard)
	if code != exitOK {
		t.Errorf("exit code %d", code)
	}
}

// The log states what is wrong with a line, and the end of the input after it is a
// failure.
func TestEndAfterAWrongLineIsAFailure(t *testing.T) {
	const missing = "standard input: JSON value \"/players\": want an integer from 0"
	for _, tt := range []struct {
		name, lines string
		code        int
		want        string
	}{
		{"error", `{"players":-1}` + "\n", exitFailed, missing},
		{"error without a line feed", `{"players":-1}`, exitFailed, missing},
		{"state without a line feed", `{"players":1}`, exitOK, ""},
		{"error after a state", `{"name":"a"}` + "\n" + `{"players":-1}`, exitFailed, missing},
		{"state after an error", `{"players":-1}` + "\n" + `{"name":"a"}`, exitOK,
			"standard input: the state is valid again"},
		{"long line", strings.Repeat("x", 3<<20), exitFailed, "standard input: a line has more than"},
		{"nothing", "", exitFailed, errNoLastState.Error()},
		{"blank", "\n\n", exitFailed, errNoLastState.Error()},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var stderr strings.Builder
			code := run(t.Context(), []string{"-state", "-", "-sqp", free}, strings.NewReader(tt.lines), io.Discard, &stderr)
			if code != tt.code || !strings.Contains(stderr.String(), tt.want) {
				t.Errorf("exit code %d, want %d; %q, want %q", code, tt.code, stderr.String(), tt.want)
			}
		})
	}
}

// The log shows the first failure, each failure with another reason, and their end, at most
// one line in a period.
func TestReportLogIsLimited(t *testing.T) {
	var out strings.Builder
	l := reportLog{log: log.New(&out, "", 0), from: "state.json"}
	now := time.Unix(1, 0)
	bad, worse := errors.New("bad"), errors.New("worse")
	for _, step := range []struct {
		after time.Duration
		err   error
		want  string // new lines
	}{
		{0, nil, ""},
		{0, bad, "state.json: bad\n"},
		{lookEvery, bad, ""},
		{lookEvery, worse, "state.json: worse\n"},
		{0, nil, ""}, // too soon
		{0, worse, ""},
		{0, nil, ""},
		{lookEvery, nil, "state.json: the state is valid again\n"},
		{lookEvery, nil, ""},
		{lookEvery, bad, "state.json: bad\n"},
	} {
		now = now.Add(step.after)
		l.note(step.err, now)
		if got := out.String(); got != step.want {
			t.Errorf("%v: %q, want %q", step.err, got, step.want)
		}
		out.Reset()
	}
	l.note(nil, now)
	l.flush(now.Add(lookEvery / 2))
	if out.Len() > 0 {
		t.Errorf("too soon: %s", &out)
	}
	l.close()
	l.flush(now.Add(lookEvery))
	if got, want := out.String(), "state.json: the state is valid again\n"; got != want {
		t.Errorf("at the end: %q, want %q", got, want)
	}
}

// The log states what is wrong with a file, and when it is right again.
func TestLogStatesWhatIsWrongWithTheFile(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "state.json")
	out, in := io.Pipe()
	lines := bufio.NewScanner(out)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan int)
	go func() {
		done <- run(ctx, []string{"-state", name, "-sqp", free}, nil, io.Discard, in)
		in.Close()
	}()
	for _, step := range []struct{ text, want string }{
		{"", ": open "},
		{`{"players":-1}`, `JSON value "/players"`},
		{`{"nmae":"a"}`, `no member "nmae"`},
		{`{"name":"a"}`, ": the state is valid again"},
	} {
		if step.text != "" {
			if err := os.WriteFile(name, []byte(step.text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for lines.Scan() && !strings.Contains(lines.Text(), step.want) {
		}
		if !strings.HasPrefix(lines.Text(), "sidecar: "+name+": ") {
			t.Errorf("%q: log %q", step.want, lines.Text())
		}
	}
	go io.Copy(io.Discard, out)
	cancel()
	if code := <-done; code != exitOK {
		t.Errorf("exit code %d", code)
	}
}

// A file may be missing, be half written, and be replaced.
func TestStateFileMayBeMissing(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "state.json")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := start(t, nil, "-state", name)
	eventually(t, "an error about the missing file", func() bool { return r.state.Err() != nil })
	write(`{"name":"a"}`)
	eventually(t, "the first state", r.isNamed("a"))
	write(`{"name":"b`)
	eventually(t, "an error about the half", func() bool { return r.state.Err() != nil })
	if !r.isNamed("a")() {
		t.Errorf("half a file is a state: %+v", r.state.Now().View)
	}
	write(`{"name":"b"}`)
	eventually(t, "the second state", r.isNamed("b"))
}

// A game that answers one protocol is visible in the others.
func TestFromRelaysState(t *testing.T) {
	behind := start(t, nil)
	code, text := behind.send(t, "PUT", "/v1/state",
		`{"name":"Old","map":"harbor","port":7777,"max":8,"roster":[{"name":"Ann","score":3,"ping":40}]}`)
	if code != http.StatusNoContent {
		t.Fatal(text)
	}
	for _, protocol := range []string{"sqp", "gamespy2", "gameagent"} {
		r := start(t, nil, "-every", "20ms", "-from", protocol+"="+behind.at(protocol))
		eventually(t, "an answer in "+protocol, r.isNamed("Old"))
		for asked, v := range r.views(t) {
			if got := summary(v); got != "Old on harbor: Ann" {
				t.Errorf("%s as %s: %s", protocol, asked, got)
			}
		}
	}
}

// With -on-stale leave, a game that stops reporting leaves the lists, and returns when it
// reports again.
func TestStaleGameLeavesTheLists(t *testing.T) {
	t.Parallel()
	const stale = 300 * time.Millisecond
	r := start(t, nil, "-stale", stale.String(), "-on-stale", "leave")
	if h := r.health(time.Now()); h != api.Waiting {
		t.Errorf("health %s before the first report", h)
	}
	sent := time.Now()
	r.send(t, "PUT", "/v1/state", `{"name":"a"}`)
	if code, text := r.send(t, "GET", "/healthz", ""); code != http.StatusOK && time.Since(sent) < stale {
		t.Error(text)
	}
	eventually(t, "stale", func() bool {
		code, _ := r.send(t, "GET", "/healthz", "")
		return code == http.StatusServiceUnavailable
	})
	if got := r.views(t)["sqp"].Name; got != "a" {
		t.Errorf("a stale state is answered with %q", got)
	}
	sent = time.Now()
	r.send(t, "PUT", "/v1/state", `{"name":"a"}`)
	if h := r.health(sent); h != api.Fresh {
		t.Errorf("health %s after a report", h)
	}
}

// With -on-stale end, the sidecar ends with an error.
func TestStaleGameEndsTheSidecar(t *testing.T) {
	out, in := io.Pipe()
	defer in.Close()
	go io.WriteString(in, "{\"name\":\"a\"}\n")
	var stderr strings.Builder
	code := run(t.Context(), []string{"-state", "-", "-sqp", "127.0.0.1:0", "-stale", "100ms", "-on-stale", "end"}, out,
		io.Discard, &stderr)
	if code != exitFailed || !strings.Contains(stderr.String(), errStale.Error()) {
		t.Errorf("exit code %d, %s", code, &stderr)
	}
}
