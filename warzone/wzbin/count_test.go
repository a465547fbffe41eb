package wzbin_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/laws"
	"github.com/lobbywire/lobbywire/warzone/wzbin"
)

func TestCount(t *testing.T) {
	counts.Table(t, []laws.Case[wzbin.Count]{
		{Name: "none", In: "\x05\x02\x010"},
		{Name: "most", In: "\x05\x05\x041023", Want: wzbin.Count{Games: wzbin.MaxGames}},
		{Name: "one more", In: "\x05\x05\x041024", Err: lobbywire.ErrTooLarge, Field: "games", Offset: 2},
		{Name: "more than 32 bits", In: "\x05\x0b\x0a4294967296", Err: lobbywire.ErrInvalid, Field: "games", Offset: 2},
		{Name: "none told", In: "\x05\x00", Err: lobbywire.ErrInvalid, Field: "games", Offset: 2},
	})
	laws.Refusals(t, []laws.Refusal{
		{Name: "too many", Value: wzbin.Count{Games: wzbin.MaxGames + 1}, Err: lobbywire.ErrTooLarge, Field: "games"},
	})
}
