package bomberman_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

func TestPlayerActionAcceptsItsFormsOnly(t *testing.T) {
	const head = `{"command":"gsPlayerAction","content":{"action":`
	playerActionCodec.Table(t, []codectest.Case[bomberman.PlayerAction]{
		{Name: "bomb", In: head + `0}}`, Want: bomberman.PlayerAction{Action: bomberman.ActionBomb}},
		{Name: "down", In: head + `4}}`, Want: bomberman.PlayerAction{Action: bomberman.ActionDown}},
		{Name: "minus zero", In: head + `-0}}`, Out: head + `0}}`},
		{Name: "5", In: head + `5}}`, Err: lobbywire.ErrInvalid, Field: "content.action", Offset: 48},
		{Name: "-1", In: head + `-1}}`, Err: lobbywire.ErrInvalid, Field: "content.action", Offset: 48},
		{Name: "text", In: head + `"moveUp"}}`, Err: lobbywire.ErrInvalid, Field: "content.action", Offset: 48},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "5", Value: bomberman.PlayerAction{Action: 5}, Err: lobbywire.ErrInvalid, Field: "content.action"},
		{Name: "-1", Value: bomberman.PlayerAction{Action: -1}, Err: lobbywire.ErrInvalid, Field: "content.action"},
	})
}
