package wztext_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/laws"
	"github.com/lobbywire/lobbywire/warzone/wztext"
)

func TestStartGame(t *testing.T) {
	startGames.Table(t, []laws.Case[wztext.StartGame]{
		{Name: "sample", In: "STARTGAME\t9999\n", Want: wztext.StartGame{Port: 9999}},
		{Name: "mixed letters, space", In: "StartGame 9999\n", Want: wztext.StartGame{Port: 9999}, Differs: true},
		{Name: "no port", In: "STARTGAME\n", Err: lobbywire.ErrInvalid, Field: "port", Offset: 9},
		{Name: "two ports", In: "STARTGAME\t1\t2\n", Err: lobbywire.ErrTrailing, Offset: 12},
	})
	laws.Refusals(t, []laws.Refusal{
		{Name: "port 0", Value: wztext.StartGame{}, Err: lobbywire.ErrInvalid, Field: "port"},
	})
}
