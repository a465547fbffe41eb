package wzproposal_test

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

func TestCloseGameAcceptsItsFormsOnly(t *testing.T) {
	closeGameCodec.table(t, []row[wzproposal.CloseGame]{
		{Name: "without a winner", Text: "CLOSEGAME\t9999\n", Binary: "\x04\x05\x049999",
			Want: wzproposal.CloseGame{Port: 9999}},
		{Name: "with a winner", Text: "CLOSEGAME\t9999\tPlayer One\n", Binary: "\x04\x10\x049999\x0aPlayer One",
			Want: wzproposal.CloseGame{Port: 9999, Winner: "Player One"}},
		{Name: "with an empty winner", Text: "CLOSEGAME\t9999\t\n", Binary: "\x04\x06\x049999\x00",
			Want: wzproposal.CloseGame{Port: 9999}, Differs: true},
		{Name: "two winners", Text: "CLOSEGAME\t9999\ta\tb\n", Binary: "\x04\x07\x049999\x00\x00",
			Err: lobbywire.ErrTrailing, TextAt: 17, BinaryAt: 8},
	})
	closeGameCodec.text.Table(t, []codectest.Case[wzproposal.CloseGame]{
		{Name: "the winner may follow", In: "CLOSEGAME\t9999", Err: lobbywire.ErrTruncated, Field: "port", Offset: 10},
	})
	refusals(t, []codectest.Refusal{
		{Name: "port 0", Value: wzproposal.CloseGame{}, Err: lobbywire.ErrInvalid, Field: "port"},
		{Name: "TAB", Value: wzproposal.CloseGame{Port: 1, Winner: "\t"}, Err: lobbywire.ErrInvalid, Field: "winner"},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "line too long", Value: wzproposal.CloseGame{Port: 1, Winner: strings.Repeat("a", wzproposal.MaxLine)},
			Err: lobbywire.ErrTooLarge},
	})
	binaryRefusals(t, []codectest.Refusal{
		{Name: "too long", Value: wzproposal.CloseGame{Port: 1, Winner: strings.Repeat("a", 253)},
			Err: lobbywire.ErrTooLarge, Field: "size"},
	})
}
