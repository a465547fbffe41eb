package wzbin_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/laws"
	"github.com/lobbywire/lobbywire/warzone/wzbin"
)

func TestRequest(t *testing.T) {
	requests.Table(t, []laws.Case[wzbin.Request]{
		{Name: "list", In: "\x01\x02\x01*", Want: wzbin.List{Filter: "*"}},
		{Name: "open game", In: openGameFrame, Want: theGame()},
		{Name: "start game", In: "\x03\x05\x049999", Want: wzbin.StartGame{Port: 9999}},
		{Name: "close game", In: "\x04\x05\x049999", Want: wzbin.CloseGame{Port: 9999}},
		{Name: "unknown", In: "\xc8\x04\x02\x00\xff\x00", Want: wzbin.Unknown{Command: 200, Payloads: [][]byte{{0, 0xff}, {}}}},
		{Name: "an answer is unknown", In: "\x07\x00", Want: wzbin.Unknown{Command: wzbin.CommandDone}},
		{Name: "command 0 is unknown", In: "\x00\x00", Want: wzbin.Unknown{}},
		{Name: "bad port", In: "\x03\x02\x01x", Err: lobbywire.ErrInvalid, Field: "port", Offset: 2},
		{Name: "cut", In: "\x03", Err: lobbywire.ErrTruncated, Field: "size", Offset: 1},
		{Name: "nothing", In: "", Err: lobbywire.ErrTruncated, Field: "command", Offset: 0},
		{Name: "two", In: "\x01\x00\x01\x00", Err: lobbywire.ErrTrailing, Offset: 2},
	})
}
