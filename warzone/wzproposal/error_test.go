package wzproposal_test

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

func TestErrorAcceptsItsFormsOnly(t *testing.T) {
	errorCodec.table(t, []row[wzproposal.Error]{
		{Name: "with a text", Text: "ERROR\tno game\n", Binary: "\x08\x08\x07no game",
			Want: wzproposal.Error{Text: "no game"}},
		{Name: "without a text", Text: "ERROR\n", Binary: "\x08\x00"},
		{Name: "with an empty text", Text: "ERROR\t\n", Binary: "\x08\x01\x00", Differs: true},
		{Name: "longest text of a frame", Text: "ERROR\t" + strings.Repeat("a", 254) + "\n",
			Binary: "\x08\xff\xfe" + strings.Repeat("a", 254),
			Want:   wzproposal.Error{Text: strings.Repeat("a", 254)}},
		{Name: "two texts", Text: "ERROR\ta\tb\n", Binary: "\x08\x04\x01a\x01b",
			Err: lobbywire.ErrTrailing, TextAt: 8, BinaryAt: 4},
	})
	errorCodec.text.Table(t, []codectest.Case[wzproposal.Error]{
		{Name: "space after the word", In: "ERROR no game\n", Want: wzproposal.Error{Text: "no game"}, Differs: true},
	})
	refusals(t, []codectest.Refusal{
		{Name: "LF", Value: wzproposal.Error{Text: "a\nb"}, Err: lobbywire.ErrInvalid, Field: "text"},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "line too long", Value: wzproposal.Error{Text: strings.Repeat("a", wzproposal.MaxLine)},
			Err: lobbywire.ErrTooLarge},
	})
	binaryRefusals(t, []codectest.Refusal{
		{Name: "too long", Value: wzproposal.Error{Text: strings.Repeat("a", 255)},
			Err: lobbywire.ErrTooLarge, Field: "text"},
	})
}
