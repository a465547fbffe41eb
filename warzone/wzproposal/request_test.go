package wzproposal_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

func TestRequestAcceptsItsFormsOnly(t *testing.T) {
	requestCodec.table(t, []row[wzproposal.Request]{
		{Name: "list", Text: "LIST\t*\n", Binary: "\x01\x02\x01*", Want: wzproposal.List{Filter: "*"}},
		{Name: "open game", Text: openGameLine, Binary: openGameFrame, Want: theGame()},
		{Name: "start game", Text: "STARTGAME\t9999\n", Binary: "\x03\x05\x049999",
			Want: wzproposal.StartGame{Port: 9999}},
		{Name: "close game", Text: "CLOSEGAME\t9999\n", Binary: "\x04\x05\x049999",
			Want: wzproposal.CloseGame{Port: 9999}},
		{Name: "an answer is unknown", Text: "DONE\n", Binary: "\x07\x00", Want: wzproposal.Unknown{Command: "DONE"}},
		{Name: "bad port", Text: "STARTGAME\tx\n", Binary: "\x03\x02\x01x",
			Err: lobbywire.ErrInvalid, Field: "port", TextAt: 10, BinaryAt: 2},
		{Name: "nothing", Err: lobbywire.ErrTruncated, Field: "command"},
		{Name: "two", Text: "LIST\nLIST\n", Binary: "\x01\x00\x01\x00",
			Err: lobbywire.ErrTrailing, TextAt: 5, BinaryAt: 2},
	})
	requestCodec.text.Table(t, []codectest.Case[wzproposal.Request]{
		{Name: "small letters", In: "closegame 9999\n", Want: wzproposal.CloseGame{Port: 9999}, Differs: true,
			Strict: lobbywire.ErrInvalid},
		{Name: "unknown", In: "HEARTBEAT\t9999\t\n",
			Want: wzproposal.Unknown{Command: "HEARTBEAT", Fields: []string{"9999", ""}}},
		{Name: "GAME is the word of no line", In: "GAME\n", Want: wzproposal.Unknown{Command: "GAME"}},
		{Name: "a comment is unknown", In: "// LIST\n",
			Want: wzproposal.Unknown{Command: "//", Fields: []string{"LIST"}}, Differs: true},
		{Name: "a byte order mark is of the word", In: "\ufeffLIST\t*\n",
			Want: wzproposal.Unknown{Command: "\ufeffLIST", Fields: []string{"*"}}},
		{Name: "empty line", In: "\r\n", Err: lobbywire.ErrInvalid, Field: "command", Offset: 0},
		{Name: "blank line", In: " \n", Err: lobbywire.ErrInvalid, Field: "command", Offset: 0},
		{Name: "cut", In: "LIST", Err: lobbywire.ErrTruncated, Field: "command", Offset: 0},
	})
	requestCodec.binary.Table(t, []codectest.Case[wzproposal.Request]{
		{Name: "unknown frame", In: "\xc8\x04\x02\x00\xff\x00",
			Want: wzproposal.Unknown{Command: "200", Fields: []string{"\x00\xff", ""}}},
		{Name: "command 0 is unknown", In: "\x00\x00", Want: wzproposal.Unknown{Command: "0"}},
		{Name: "frame cut", In: "\x03", Err: lobbywire.ErrTruncated, Field: "size", Offset: 1},
	})
}

func TestStrictRequestHasOneForm(t *testing.T) {
	strictRequests := requestCodec.strictly()
	strictRequests.table(t, []row[wzproposal.Request]{
		{Name: "list", Text: "LIST\t*\n", Binary: "\x01\x02\x01*", Want: wzproposal.List{Filter: "*"}},
	})
	strictRequests.text.Table(t, []codectest.Case[wzproposal.Request]{
		{Name: "small letters", In: "list\t*\n", Err: lobbywire.ErrInvalid, Field: "command", Offset: 0},
		{Name: "small letters of an answer are unknown", In: "done\n", Want: wzproposal.Unknown{Command: "done"}},
		{Name: "small letters and a number that is none", In: "startgame 999\x039\n",
			Err: lobbywire.ErrInvalid, Field: "command", Offset: 0},
		{Name: "NUL in a word", In: "a\x00\n", Err: lobbywire.ErrInvalid, Field: "command", Offset: 0},
		{Name: "Latin-1 in a column", In: "a\tb\t\xfc\n", Err: lobbywire.ErrInvalid, Field: "fields[1]", Offset: 4},
	})
	strictRequests.binary.Table(t, []codectest.Case[wzproposal.Request]{
		{Name: "any bytes in a payload", In: "\xc8\x03\x02\x00\xff",
			Want: wzproposal.Unknown{Command: "200", Fields: []string{"\x00\xff"}}},
	})
}
