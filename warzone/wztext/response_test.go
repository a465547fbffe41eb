package wztext_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/laws"
	"github.com/lobbywire/lobbywire/warzone/wztext"
)

func TestResponse(t *testing.T) {
	responses.Table(t, []laws.Case[wztext.Response]{
		{Name: "list", In: "COUNT\t1\n" + bananaRow, Want: wztext.GameList{Games: []wztext.Game{bananaGame()}}},
		{Name: "done", In: "DONE\n", Want: wztext.Done{}},
		{Name: "error", In: "ERROR\tfull\n", Want: wztext.Error{Text: "full"}},
		{Name: "unknown", In: "WAIT\n", Want: wztext.Unknown{Command: "WAIT"}},
		{Name: "a request is unknown", In: "LIST\t*\n", Want: wztext.Unknown{Command: "LIST", Columns: []string{"*"}}},
		{Name: "a row is unknown", In: "::1\t1\n", Want: wztext.Unknown{Command: "::1", Columns: []string{"1"}}},
		{Name: "list cut", In: "COUNT\t1\n", Err: lobbywire.ErrTruncated, Field: "games[0].ip", Offset: 8},
		{Name: "done twice", In: "DONE\nDONE\n", Err: lobbywire.ErrTrailing, Offset: 5},
	})
	laws.Refusals(t, []laws.Refusal{
		{Name: "unknown without a word", Value: wztext.Unknown{}, Err: lobbywire.ErrInvalid, Field: "command"},
	})
}
