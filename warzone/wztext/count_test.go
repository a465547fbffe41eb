package wztext_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/laws"
	"github.com/lobbywire/lobbywire/warzone/wztext"
)

func TestCount(t *testing.T) {
	counts.Table(t, []laws.Case[wztext.Count]{
		{Name: "none", In: "COUNT\t0\n"},
		{Name: "space after the word", In: "COUNT 3\n", Want: wztext.Count{Games: 3}, Differs: true},
		{Name: "most", In: "COUNT\t1023\n", Want: wztext.Count{Games: wztext.MaxGames}},
		{Name: "one more", In: "COUNT\t1024\n", Err: lobbywire.ErrTooLarge, Field: "games", Offset: 6},
		{Name: "one more, before the line ends", In: "COUNT\t1024\t", Err: lobbywire.ErrTooLarge, Field: "games", Offset: 6},
		{Name: "more than 32 bits", In: "COUNT\t4294967296\n", Err: lobbywire.ErrInvalid, Field: "games", Offset: 6},
		{Name: "negative", In: "COUNT\t-1\n", Err: lobbywire.ErrInvalid, Field: "games", Offset: 6},
		{Name: "none told", In: "COUNT\n", Err: lobbywire.ErrInvalid, Field: "games", Offset: 5},
	})
	laws.Refusals(t, []laws.Refusal{
		{Name: "too many", Value: wztext.Count{Games: wztext.MaxGames + 1}, Err: lobbywire.ErrTooLarge, Field: "games"},
	})
}
