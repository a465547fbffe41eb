package wztext_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/laws"
	"github.com/lobbywire/lobbywire/warzone/wztext"
)

func TestDone(t *testing.T) {
	dones.Table(t, []laws.Case[wztext.Done]{
		{Name: "as sent", In: "DONE\n"},
		{Name: "small letters", In: "done\r\n", Differs: true},
		{Name: "with a column", In: "DONE\t1\n", Err: lobbywire.ErrTrailing, Offset: 5},
		{Name: "with an empty column", In: "DONE\t\n", Err: lobbywire.ErrTrailing, Offset: 5},
		{Name: "cut", In: "DONE", Err: lobbywire.ErrTruncated, Field: "command", Offset: 0},
		{Name: "a longer word", In: "DONELY\n", Err: lobbywire.ErrInvalid, Field: "command", Offset: 0},
	})
}
