package wzbin_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/laws"
	"github.com/lobbywire/lobbywire/warzone/wzbin"
)

func TestDone(t *testing.T) {
	dones.Table(t, []laws.Case[wzbin.Done]{
		{Name: "as sent", In: "\x07\x00"},
		{Name: "with an empty payload", In: "\x07\x01\x00", Err: lobbywire.ErrTrailing, Offset: 2},
		{Name: "cut", In: "\x07", Err: lobbywire.ErrTruncated, Field: "size", Offset: 1},
		{Name: "another command", In: "\x08\x00", Err: lobbywire.ErrInvalid, Field: "command", Offset: 0},
	})
}
