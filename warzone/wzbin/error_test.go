package wzbin_test

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/laws"
	"github.com/lobbywire/lobbywire/warzone/wzbin"
)

func TestError(t *testing.T) {
	failures.Table(t, []laws.Case[wzbin.Error]{
		{Name: "with a text", In: "\x08\x08\x07no game", Want: wzbin.Error{Text: "no game"}},
		{Name: "without a text", In: "\x08\x00"},
		{Name: "with an empty text", In: "\x08\x01\x00", Differs: true},
		{Name: "longest text", In: "\x08\xff\xfe" + strings.Repeat("a", 254), Want: wzbin.Error{Text: strings.Repeat("a", 254)}},
		{Name: "two texts", In: "\x08\x04\x01a\x01b", Err: lobbywire.ErrTrailing, Offset: 4},
	})
	laws.Refusals(t, []laws.Refusal{
		{Name: "LF", Value: wzbin.Error{Text: "a\nb"}, Err: lobbywire.ErrInvalid, Field: "text"},
		{Name: "too long", Value: wzbin.Error{Text: strings.Repeat("a", 255)}, Err: lobbywire.ErrTooLarge, Field: "text"},
	})
}
