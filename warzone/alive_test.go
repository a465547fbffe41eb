package warzone_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone"
)

func TestAliveRequestAcceptsItsFormsOnly(t *testing.T) {
	aliveRequestCodec.Table(t, []codectest.Case[warzone.AliveRequest]{
		{Name: "zeros", In: words(0, 0), Want: warzone.AliveRequest{}},
		{Name: "cut", In: "\x00\x00\x00\x00\x00", Err: lobbywire.ErrTruncated, Field: "netcodeMinor", Offset: 4},
		{Name: "nothing", In: "", Err: lobbywire.ErrTruncated, Field: "netcodeMajor", Offset: 0},
		{Name: "a client that joins", In: words(0x4000, 79),
			Err: lobbywire.ErrUnsupported, Field: "netcodeMajor", Offset: 0},
		{Name: "start of a client that joins", In: "\x00\x00\x40",
			Err: lobbywire.ErrUnsupported, Field: "netcodeMajor", Offset: 0},
		{Name: "minor version alone", In: words(0, 79),
			Err: lobbywire.ErrUnsupported, Field: "netcodeMinor", Offset: 4},
		{Name: "trailing byte", In: words(0, 0) + "\x00", Err: lobbywire.ErrTrailing, Offset: 8},
	})
}

func TestAliveReplyAcceptsItsFormsOnly(t *testing.T) {
	aliveReplyCodec.Table(t, []codectest.Case[warzone.AliveReply]{
		{Name: "alive", In: "WZLR" + words(1, 7), Want: warzone.AliveReply{Version: warzone.AliveVersion, GameID: 7}},
		{Name: "another version", In: "WZLR" + words(2, 7), Want: warzone.AliveReply{Version: 2, GameID: 7}},
		{Name: "cut", In: "WZLR\x00", Err: lobbywire.ErrTruncated, Field: "version", Offset: 4},
		{Name: "magic cut", In: "WZ", Err: lobbywire.ErrTruncated, Field: "magic", Offset: 0},
		{Name: "no magic", In: "WX", Err: lobbywire.ErrInvalid, Field: "magic", Offset: 0},
		{Name: "trailing byte", In: "WZLR" + words(1, 7) + "x", Err: lobbywire.ErrTrailing, Offset: 12},
	})
}
