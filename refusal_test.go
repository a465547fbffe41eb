package lobbywire_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
)

func TestRefusalString(t *testing.T) {
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
		{lobbywire.Refusal{Reason: 99}, "Reason(99)"},
	} {
		if got := tt.r.String(); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
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
