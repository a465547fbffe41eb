package wzproposal_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

func TestResponseAcceptsItsFormsOnly(t *testing.T) {
	responseCodec.table(t, []row[wzproposal.Response]{
		{Name: "list", Text: "COUNT\t1\n" + bananaRow, Binary: "\x05\x02\x011" + bananaFrame,
			Want: wzproposal.GameList{Games: []wzproposal.Game{bananaGame()}}},
		{Name: "done", Text: "DONE\n", Binary: "\x07\x00", Want: wzproposal.Done{}},
		{Name: "error", Text: "ERROR\tfull\n", Binary: "\x08\x05\x04full", Want: wzproposal.Error{Text: "full"}},
		{Name: "a request is unknown", Text: "LIST\t*\n", Binary: "\x01\x02\x01*",
			Want: wzproposal.Unknown{Command: "LIST", Fields: []string{"*"}}},
		{Name: "done twice", Text: "DONE\nDONE\n", Binary: "\x07\x00\x07\x00",
			Err: lobbywire.ErrTrailing, TextAt: 5, BinaryAt: 2},
	})
	responseCodec.text.Table(t, []codectest.Case[wzproposal.Response]{
		{Name: "unknown", In: "WAIT\n", Want: wzproposal.Unknown{Command: "WAIT"}},
		{Name: "a row is unknown", In: "::1\t1\n", Want: wzproposal.Unknown{Command: "::1", Fields: []string{"1"}}},
		{Name: "list cut", In: "COUNT\t1\n", Err: lobbywire.ErrTruncated, Field: "games[0].ip", Offset: 8},
	})
	responseCodec.binary.Table(t, []codectest.Case[wzproposal.Response]{
		{Name: "unknown frame", In: "\xff\x00", Want: wzproposal.Unknown{Command: "255"}},
		{Name: "a game is unknown", In: "\x06\x00", Want: wzproposal.Unknown{Command: "GAME"}},
		{Name: "list of frames cut", In: "\x05\x02\x011",
			Err: lobbywire.ErrTruncated, Field: "games[0].command", Offset: 4},
	})
	refusals(t, []codectest.Refusal{
		{Name: "unknown without a word", Value: wzproposal.Unknown{}, Err: lobbywire.ErrInvalid, Field: "command"},
	})
	binaryRefusals(t, []codectest.Refusal{
		{Name: "unknown too long",
			Value: wzproposal.Unknown{Command: "0", Fields: []string{"", string(make([]byte, 255))}},
			Err:   lobbywire.ErrTooLarge, Field: "fields[1]"},
	})
}
