package warzone_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone"
)

func TestGameIDReplyAcceptsItsFormsOnly(t *testing.T) {
	gameIDReplyCodec.Table(t, []codectest.Case[warzone.GameIDReply]{
		{Name: "id", In: "\x01\x02\x03\x04", Want: warzone.GameIDReply{GameID: 0x01020304}},
		{Name: "cut", In: "\x01\x02\x03", Err: lobbywire.ErrTruncated, Field: "gameId", Offset: 0},
		{Name: "trailing byte", In: "\x01\x02\x03\x04\x05", Err: lobbywire.ErrTrailing, Offset: 4},
	})
}
