package wzbin_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/laws"
	"github.com/lobbywire/lobbywire/warzone/wzbin"
)

func TestResponse(t *testing.T) {
	responses.Table(t, []laws.Case[wzbin.Response]{
		{Name: "list", In: "\x05\x02\x011" + bananaFrame, Want: wzbin.GameList{Games: []wzbin.Game{bananaGame()}}},
		{Name: "done", In: "\x07\x00", Want: wzbin.Done{}},
		{Name: "error", In: "\x08\x05\x04full", Want: wzbin.Error{Text: "full"}},
		{Name: "unknown", In: "\xff\x00", Want: wzbin.Unknown{Command: 255}},
		{Name: "a request is unknown", In: "\x01\x02\x01*", Want: wzbin.Unknown{Command: wzbin.CommandList, Payloads: [][]byte{[]byte("*")}}},
		{Name: "a game is unknown", In: "\x06\x00", Want: wzbin.Unknown{Command: wzbin.CommandGame}},
		{Name: "list cut", In: "\x05\x02\x011", Err: lobbywire.ErrTruncated, Field: "games[0].command", Offset: 4},
		{Name: "done twice", In: "\x07\x00\x07\x00", Err: lobbywire.ErrTrailing, Offset: 2},
	})
	laws.Refusals(t, []laws.Refusal{
		{Name: "unknown too long", Value: wzbin.Unknown{Payloads: [][]byte{nil, make([]byte, 255)}}, Err: lobbywire.ErrTooLarge, Field: "payloads[1]"},
	})
}
