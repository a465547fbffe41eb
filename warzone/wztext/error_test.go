package wztext_test

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/laws"
	"github.com/lobbywire/lobbywire/warzone/wztext"
)

func TestError(t *testing.T) {
	failures.Table(t, []laws.Case[wztext.Error]{
		{Name: "with a text", In: "ERROR\tno game at port 9999\n", Want: wztext.Error{Text: "no game at port 9999"}},
		{Name: "space after the word", In: "ERROR no game\n", Want: wztext.Error{Text: "no game"}, Differs: true},
		{Name: "without a text", In: "ERROR\n"},
		{Name: "with an empty text", In: "ERROR\t\n", Differs: true},
		{Name: "two texts", In: "ERROR\ta\tb\n", Err: lobbywire.ErrTrailing, Offset: 8},
	})
	laws.Refusals(t, []laws.Refusal{
		{Name: "LF", Value: wztext.Error{Text: "a\nb"}, Err: lobbywire.ErrInvalid, Field: "text"},
		{Name: "line too long", Value: wztext.Error{Text: strings.Repeat("a", wztext.MaxLine)}, Err: lobbywire.ErrTooLarge},
	})
}
