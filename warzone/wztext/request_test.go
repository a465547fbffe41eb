package wztext_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/laws"
	"github.com/lobbywire/lobbywire/warzone/wztext"
)

func TestRequest(t *testing.T) {
	requests.Table(t, []laws.Case[wztext.Request]{
		{Name: "list", In: "LIST\t*\n", Want: wztext.List{Filter: "*"}},
		{Name: "open game", In: "OPENGAME\t9999\tThe Game!!\tSk-Rush\t4\n", Want: theGame()},
		{Name: "start game", In: "STARTGAME\t9999\n", Want: wztext.StartGame{Port: 9999}},
		{Name: "close game", In: "CLOSEGAME\t9999\n", Want: wztext.CloseGame{Port: 9999}},
		{Name: "small letters", In: "closegame 9999\n", Want: wztext.CloseGame{Port: 9999}, Differs: true},
		{Name: "unknown", In: "HEARTBEAT\t9999\t\n", Want: wztext.Unknown{Command: "HEARTBEAT", Columns: []string{"9999", ""}}},
		{Name: "an answer is unknown", In: "DONE\n", Want: wztext.Unknown{Command: "DONE"}},
		{Name: "a comment is unknown", In: "// LIST\n", Want: wztext.Unknown{Command: "//", Columns: []string{"LIST"}}, Differs: true},
		{Name: "a byte order mark is of the word", In: "\ufeffLIST\t*\n", Want: wztext.Unknown{Command: "\ufeffLIST", Columns: []string{"*"}}},
		{Name: "empty line", In: "\r\n", Err: lobbywire.ErrInvalid, Field: "command", Offset: 0},
		{Name: "blank line", In: " \n", Err: lobbywire.ErrInvalid, Field: "command", Offset: 0},
		{Name: "bad port", In: "STARTGAME\tx\n", Err: lobbywire.ErrInvalid, Field: "port", Offset: 10},
		{Name: "cut", In: "LIST", Err: lobbywire.ErrTruncated, Field: "command", Offset: 0},
		{Name: "two", In: "LIST\nLIST\n", Err: lobbywire.ErrTrailing, Offset: 5},
	})
}

func TestRequestStrict(t *testing.T) {
	strictRequests := laws.Codec[wztext.Request]{Parse: strict.ParseRequest}
	strictRequests.Table(t, []laws.Case[wztext.Request]{
		{Name: "list", In: "LIST\t*\n", Want: wztext.List{Filter: "*"}},
		{Name: "small letters are unknown", In: "list\t*\n", Want: wztext.Unknown{Command: "list", Columns: []string{"*"}}},
		{Name: "NUL in a word", In: "a\x00\n", Err: lobbywire.ErrInvalid, Field: "command", Offset: 0},
		{Name: "Latin-1 in a column", In: "a\tb\t\xfc\n", Err: lobbywire.ErrInvalid, Field: "columns[1]", Offset: 4},
	})
}
