package wztext_test

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/laws"
	"github.com/lobbywire/lobbywire/warzone/wztext"
)

func TestCloseGame(t *testing.T) {
	closeGames.Table(t, []laws.Case[wztext.CloseGame]{
		{Name: "without a winner", In: "CLOSEGAME\t9999\n", Want: wztext.CloseGame{Port: 9999}},
		{Name: "with a winner", In: "CLOSEGAME\t9999\tPlayer One\n", Want: wztext.CloseGame{Port: 9999, Winner: "Player One"}},
		{Name: "with an empty winner", In: "CLOSEGAME\t9999\t\n", Want: wztext.CloseGame{Port: 9999}, Differs: true},
		{Name: "two winners", In: "CLOSEGAME\t9999\ta\tb\n", Err: lobbywire.ErrTrailing, Offset: 17},
		{Name: "the winner may follow", In: "CLOSEGAME\t9999", Err: lobbywire.ErrTruncated, Field: "port", Offset: 10},
	})
	laws.Refusals(t, []laws.Refusal{
		{Name: "port 0", Value: wztext.CloseGame{}, Err: lobbywire.ErrInvalid, Field: "port"},
		{Name: "TAB", Value: wztext.CloseGame{Port: 1, Winner: "\t"}, Err: lobbywire.ErrInvalid, Field: "winner"},
		{Name: "line too long", Value: wztext.CloseGame{Port: 1, Winner: strings.Repeat("a", wztext.MaxLine)}, Err: lobbywire.ErrTooLarge},
	})
}
