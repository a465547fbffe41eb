package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/netip"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/reach"
	"github.com/lobbywire/lobbywire/examples/internal/programtest"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/warzone/wzproposal/proposalnet"
)

// checkLines checks each line against the schema. It returns the members of all lines,
// except the members of answers.
func checkLines(t *testing.T, text string) map[string]bool {
	t.Helper()
	s, members := programtest.ParseSchema(t, output.Schema), map[string]bool{}
	dec := json.NewDecoder(strings.NewReader(text))
	for {
		var v map[string]any
		err := dec.Decode(&v)
		if err == io.EOF {
			return members
		}
		if err == nil {
			err = s.Check("", v)
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		for name := range v {
			members[name] = true
		}
	}
}

// The output of all commands with -json matches the schema, for every protocol.
func TestOutputMatchesSchema(t *testing.T) {
	t.Parallel()
	members := map[string]bool{}
	run := func(wantCode int, args ...string) {
		t.Helper()
		code, stdout, stderr := gamequery(nil, args...)
		if code != wantCode || stdout == "" {
			t.Errorf("%q: exit code %d, %s", args, code, stderr)
		}
		maps.Copy(members, checkLines(t, stdout))
	}
	for _, protocol := range []string{"sqp", "gamespy2", "gameagent"} {
		addr, stop := background(t, "serve", protocol, "127.0.0.1:0")
		run(exitOK, "query", "-json", protocol, addr)
		run(exitOK, "scan", "-json", protocol, addr)
		stop()
		run(exitFailed, "query", "-json", "-timeout=20ms", "-attempts=1", protocol, addr)
		run(exitFailed, "scan", "-json", "-timeout=20ms", "-attempts=1", protocol, addr)
	}
	for _, name := range []string{"gameagent", "bomberman", "warzone", "wzhttp", "wztext", "wzbinary", "wzjson"} {
		master, stopMaster := background(t, "master", name, "127.0.0.1:0")
		if name == "wzhttp" {
			master = "http://" + master
		}
		_, stop := background(t, "serve", name, "127.0.0.1:0", "-register", master)
		eventually(t, func(code int, stdout, _ string) bool { return code == exitOK && stdout != "" }, "list",
			"-json", name, master)
		run(exitOK, "list", "-json", patient, name, master)
		if name == "gameagent" {
			run(exitOK, "browse", "-json", patient, name, master)
		}
		stop()
		stopMaster()
	}
	for _, name := range []string{"bots", "spectators", "maxSpectators", "lacks", "target", "given"} {
		// Our servers do not send the numbers of bots and spectators, lack nothing, and name their ports.
		// No command prints target.
		members[name] = true
	}
	var want []string
	for name := range programtest.ParseSchema(t, output.Schema).Properties {
		want = append(want, name)
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(members))); diff != "" {
		t.Errorf("members (-schema +printed):\n%s", diff)
	}
}

// Each error has its own code, and the schema has all codes.
func TestEachErrorHasItsCode(t *testing.T) {
	invalid := &lobbywire.Error{Proto: "sqp", Err: lobbywire.ErrInvalid}
	for want, errs := range map[string][]error{
		"timeout":     {lobbywire.ErrTimeout, &net.OpError{Op: "dial", Err: fmt.Errorf("x: %w", lobbywire.ErrTimeout)}},
		"lost":        {lobbywire.ErrLost},
		"invalid":     {invalid, fmt.Errorf("%w: %w", lobbywire.ErrTimeout, invalid)},
		"refused":     {&net.OpError{Op: "read", Err: syscall.ECONNREFUSED}},
		"unreachable": {syscall.ENETUNREACH, syscall.EHOSTUNREACH},
		"name":        {&net.DNSError{Err: "no such host", Name: "x"}},
		"closed":      {io.ErrUnexpectedEOF, io.EOF, syscall.ECONNRESET},
		"denied":      {&proposalnet.LobbyError{Text: "no"}},
		"forbidden":   {&reach.ForbiddenError{Host: "x"}},
		"busy":        {fmt.Errorf("%w: x", output.ErrBusy)},
		"skipped": {lobbywire.LeftOutError{LeftOut: lobbywire.LeftOut{Crowd: 1}},
			lobbywire.LeftOutError{LeftOut: lobbywire.LeftOut{Unreadable: 1}}},
		"partial": {fmt.Errorf("x: %w", output.ErrPartial)},
		"other":   {errors.New("x")},
	} {
		for _, err := range errs {
			var b strings.Builder
			lineErr := output.Answer{Protocol: "sqp", Err: err}.WriteLine(&b)
			text := b.String()
			if lineErr != nil || !strings.Contains(text, `"error":{"code":"`+want+`",`) {
				t.Errorf("%v: %s, %v, want code %s", err, text, lineErr, want)
			}
			checkLines(t, text)
		}
	}
}

// The JSON of an answer that lacks packets says so, and has what the answer contains.
func TestPartialAnswerIsMarkedInJSON(t *testing.T) {
	m := gamespy2.Response{Info: []gamespy2.KeyValue{{Key: "p268435703", Value: "2"}}, Partial: true}
	var b strings.Builder
	err := output.Answer{
		Protocol: "gamespy2", Query: netip.MustParseAddrPort("[2001:db8::1]:6500"), View: m.View(), Message: m,
		Lacks: "packets",
	}.WriteLine(&b)
	text := b.String()
	want := `{"schema":1,"protocol":"gamespy2","query":"[2001:db8::1]:6500","bots":2,"rules":[{"key":"p268435703","value":"2"}],"lacks":"packets","answer":{`
	if err != nil || !strings.HasPrefix(text, want) {
		t.Errorf("%s, %v, want %s", text, err, want)
	}
	checkLines(t, text)
}
