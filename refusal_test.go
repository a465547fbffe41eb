package lobbywire_test

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
)

func TestRefusalTextNamesReasonAndLimit(t *testing.T) {
	for _, tt := range []struct {
		r    lobbywire.Refusal
		want string
	}{
		{lobbywire.Refusal{Reason: lobbywire.ReasonFullAddress, Limit: 64},
			"too many servers of the address are listed (limit 64)"},
		{lobbywire.Refusal{Reason: lobbywire.ReasonKey, Game: "bf2"},
			`the server does not have the secret key of its game ("bf2")`},
		{lobbywire.Refusal{Reason: lobbywire.ReasonGame, Game: "\x1b[2J" + strings.Repeat("x", 100)},
			`servers of the game are not listed here ("\x1b[2J` + strings.Repeat("x", 60) + `")`},
		{lobbywire.Refusal{Reason: lobbywire.ReasonUnreachable, Err: errors.New("timeout")},
			"the server does not answer at its address: timeout"},
		{lobbywire.Refusal{Reason: lobbywire.ReasonUnreachable, From: netip.MustParseAddrPort("192.0.2.7:7778"),
			Source: 17778, Game: "ut"},
			`the server does not answer at its address (port 7778, heartbeats from port 17778, "ut")`},
		{lobbywire.Refusal{Reason: lobbywire.ReasonChallenge, From: netip.MustParseAddrPort("192.0.2.7:6500"), Source: 6500},
			"a heartbeat has arrived, and its challenge has no answer: open the port for UDP (port 6500)"},
		{lobbywire.Refusal{Reason: lobbywire.ReasonKey, From: netip.MustParseAddrPort("192.0.2.7:6500")},
			"the server does not have the secret key of its game"},
		{lobbywire.Refusal{Reason: 99}, "Reason(99)"},
	} {
		if got := tt.r.String(); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

func TestChallengeQueryAndIncompleteArePending(t *testing.T) {
	var pending []string
	for _, r := range append(lobbywire.Reasons(), 0, 99) {
		if r.Pending() {
			pending = append(pending, r.String())
		}
	}
	if got := strings.Join(pending, " "); got != "challenge query incomplete" {
		t.Errorf("pending: %s", got)
	}
}

func TestReasonsHaveNames(t *testing.T) {
	seen := make(map[string]bool)
	for _, r := range lobbywire.Reasons() {
		name := r.String()
		if name == "" || seen[name] || strings.Contains(name, " ") || (lobbywire.Refusal{Reason: r}).String() == "" {
			t.Errorf("reason %d is called %q", r, name)
		}
		seen[name] = true
	}
}
