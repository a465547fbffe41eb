package bomberman_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
)

func TestPlayerAction(t *testing.T) {
	const head = `{"command":"gsPlayerAction","content":{"action":`
	testParse(t, bomberman.Options.ParsePlayerAction, []parseCase[bomberman.PlayerAction]{
		{name: "bomb", in: head + `0}}`, want: bomberman.PlayerAction{Action: bomberman.ActionBomb}},
		{name: "down", in: head + `4}}`, want: bomberman.PlayerAction{Action: bomberman.ActionDown}},
		{name: "minus zero", in: head + `-0}}`, out: head + `0}}`},
		{name: "5", in: head + `5}}`, kind: lobbywire.ErrInvalid, field: "content.action", offset: 48},
		{name: "-1", in: head + `-1}}`, kind: lobbywire.ErrInvalid, field: "content.action", offset: 48},
		{name: "text", in: head + `"moveUp"}}`, kind: lobbywire.ErrInvalid, field: "content.action", offset: 48},
	})
	testRefusals(t, []refusal{
		{"5", bomberman.PlayerAction{Action: 5}, lobbywire.ErrInvalid, "content.action"},
		{"-1", bomberman.PlayerAction{Action: -1}, lobbywire.ErrInvalid, "content.action"},
	})
}

func TestActionString(t *testing.T) {
	for a, want := range map[bomberman.Action]string{0: "bomb", 1: "right", 2: "left", 3: "up", 4: "down", 5: "action(5)", -1: "action(-1)"} {
		if got := a.String(); got != want {
			t.Errorf("%d: %q, want %q", int(a), got, want)
		}
	}
}
