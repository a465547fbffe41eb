package wzproposal_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

func TestDoneAcceptsItsFormsOnly(t *testing.T) {
	doneCodec.table(t, []row[wzproposal.Done]{
		{Name: "as sent", Text: "DONE\n", Binary: "\x07\x00"},
		{Name: "with an empty field", Text: "DONE\t\n", Binary: "\x07\x01\x00",
			Err: lobbywire.ErrTrailing, TextAt: 5, BinaryAt: 2},
		{Name: "with a field", Text: "DONE\t1\n", Binary: "\x07\x02\x011",
			Err: lobbywire.ErrTrailing, TextAt: 5, BinaryAt: 2},
		{Name: "another command", Text: "ERROR\n", Binary: "\x08\x00", Err: lobbywire.ErrInvalid, Field: "command"},
	})
	doneCodec.text.Table(t, []codectest.Case[wzproposal.Done]{
		{Name: "small letters", In: "done\r\n", Differs: true, Strict: lobbywire.ErrInvalid},
		{Name: "cut", In: "DONE", Err: lobbywire.ErrTruncated, Field: "command", Offset: 0},
		{Name: "a longer word", In: "DONELY\n", Err: lobbywire.ErrInvalid, Field: "command", Offset: 0},
	})
	doneCodec.binary.Table(t, []codectest.Case[wzproposal.Done]{
		{Name: "frame cut", In: "\x07", Err: lobbywire.ErrTruncated, Field: "size", Offset: 1},
	})
}
