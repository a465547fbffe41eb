package wzbin_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/laws"
	"github.com/lobbywire/lobbywire/warzone/wzbin"
)

func TestStartGame(t *testing.T) {
	startGames.Table(t, []laws.Case[wzbin.StartGame]{
		{Name: "a port", In: "\x03\x05\x049999", Want: wzbin.StartGame{Port: 9999}},
		{Name: "no port", In: "\x03\x00", Err: lobbywire.ErrInvalid, Field: "port", Offset: 2},
		{Name: "port as two bytes", In: "\x03\x03\x02\x27\x0f", Err: lobbywire.ErrInvalid, Field: "port", Offset: 2},
		{Name: "two ports", In: "\x03\x04\x011\x012", Err: lobbywire.ErrTrailing, Offset: 4},
	})
	laws.Refusals(t, []laws.Refusal{
		{Name: "port 0", Value: wzbin.StartGame{}, Err: lobbywire.ErrInvalid, Field: "port"},
	})
}
