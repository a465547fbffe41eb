package wzbin_test

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/laws"
	"github.com/lobbywire/lobbywire/warzone/wzbin"
)

func TestCloseGame(t *testing.T) {
	closeGames.Table(t, []laws.Case[wzbin.CloseGame]{
		{Name: "without a winner", In: "\x04\x05\x049999", Want: wzbin.CloseGame{Port: 9999}},
		{Name: "with a winner", In: "\x04\x10\x049999\x0aPlayer One", Want: wzbin.CloseGame{Port: 9999, Winner: "Player One"}},
		{Name: "with an empty winner", In: "\x04\x06\x049999\x00", Want: wzbin.CloseGame{Port: 9999}, Differs: true},
		{Name: "two winners", In: "\x04\x07\x049999\x00\x00", Err: lobbywire.ErrTrailing, Offset: 8},
	})
	laws.Refusals(t, []laws.Refusal{
		{Name: "port 0", Value: wzbin.CloseGame{}, Err: lobbywire.ErrInvalid, Field: "port"},
		{Name: "TAB", Value: wzbin.CloseGame{Port: 1, Winner: "\t"}, Err: lobbywire.ErrInvalid, Field: "winner"},
		{Name: "too long", Value: wzbin.CloseGame{Port: 1, Winner: strings.Repeat("a", 253)}, Err: lobbywire.ErrTooLarge, Field: "size"},
	})
}
