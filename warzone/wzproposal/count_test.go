package wzproposal_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

func TestCountAcceptsItsFormsOnly(t *testing.T) {
	countCodec.table(t, []row[wzproposal.Count]{
		{Name: "none", Text: "COUNT\t0\n", Binary: "\x05\x02\x010"},
		{Name: "most", Text: "COUNT\t1023\n", Binary: "\x05\x05\x041023",
			Want: wzproposal.Count{Games: wzproposal.MaxGames}},
		{Name: "one more", Text: "COUNT\t1024\n", Binary: "\x05\x05\x041024",
			Err: lobbywire.ErrTooLarge, Field: "games", TextAt: 6, BinaryAt: 2},
		{Name: "one more, before the line ends", Text: "COUNT\t1024\t", Binary: "\x05\x06\x041024",
			Err: lobbywire.ErrTooLarge, Field: "games", TextAt: 6, BinaryAt: 2},
		{Name: "more than 32 bits", Text: "COUNT\t4294967296\n", Binary: "\x05\x0b\x0a4294967296",
			Err: lobbywire.ErrInvalid, Field: "games", TextAt: 6, BinaryAt: 2},
		{Name: "negative", Text: "COUNT\t-1\n", Binary: "\x05\x03\x02-1",
			Err: lobbywire.ErrInvalid, Field: "games", TextAt: 6, BinaryAt: 2},
		{Name: "no number", Text: "COUNT\n", Binary: "\x05\x00",
			Err: lobbywire.ErrInvalid, Field: "games", TextAt: 5, BinaryAt: 2},
	})
	countCodec.text.Table(t, []codectest.Case[wzproposal.Count]{
		{Name: "space after the word", In: "COUNT 3\n", Want: wzproposal.Count{Games: 3}, Differs: true},
	})
	refusals(t, []codectest.Refusal{
		{Name: "too many", Value: wzproposal.Count{Games: wzproposal.MaxGames + 1},
			Err: lobbywire.ErrTooLarge, Field: "games"},
	})
}
