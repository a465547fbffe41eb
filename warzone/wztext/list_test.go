package wztext_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/laws"
	"github.com/lobbywire/lobbywire/warzone/wztext"
)

func TestList(t *testing.T) {
	lists.Table(t, []laws.Case[wztext.List]{
		{Name: "all games", In: "LIST\t*\n", Want: wztext.List{Filter: "*"}},
		{Name: "space after the word", In: "LIST *\n", Want: wztext.List{Filter: "*"}, Differs: true},
		{Name: "no filter", In: "LIST\n", Want: wztext.List{Filter: "*"}, Differs: true},
		{Name: "empty filter", In: "LIST\t\n", Want: wztext.List{Filter: "*"}, Differs: true},
		{Name: "CRLF", In: "LIST\t*\r\n", Want: wztext.List{Filter: "*"}, Differs: true},
		{Name: "small letters", In: "list\t*\n", Want: wztext.List{Filter: "*"}, Differs: true},
		{Name: "another filter is kept", In: "LIST\tSk Rush\n", Want: wztext.List{Filter: "Sk Rush"}},
		{Name: "a filter that begins with a space", In: "LIST\t *\n", Want: wztext.List{Filter: " *"}},
		{Name: "two filters", In: "LIST\t*\t*\n", Err: lobbywire.ErrTrailing, Offset: 7},
		{Name: "no end of line", In: "LIST\t*", Err: lobbywire.ErrTruncated, Field: "filter", Offset: 5},
		{Name: "no end of line yet after CR", In: "LIST\t*\r", Err: lobbywire.ErrTruncated, Field: "filter", Offset: 5},
		{Name: "word cut", In: "LIS", Err: lobbywire.ErrTruncated, Field: "command", Offset: 0},
		{Name: "nothing", In: "", Err: lobbywire.ErrTruncated, Field: "command", Offset: 0},
		{Name: "another command", In: "DONE\n", Err: lobbywire.ErrInvalid, Field: "command", Offset: 0},
		{Name: "a letter that folds to an ASCII one", In: "LI\u017fT\n", Err: lobbywire.ErrInvalid, Field: "command", Offset: 0},
		{Name: "empty line", In: "\n", Err: lobbywire.ErrInvalid, Field: "command", Offset: 0},
		{Name: "a second line", In: "LIST\t*\nLIST\t*\n", Err: lobbywire.ErrTrailing, Offset: 7},
	})
	laws.Refusals(t, []laws.Refusal{
		{Name: "TAB", Value: wztext.List{Filter: "a\tb"}, Err: lobbywire.ErrInvalid, Field: "filter"},
	})
	if b, err := (wztext.List{}).MarshalBinary(); string(b) != "LIST\t*\n" || err != nil {
		t.Errorf("the zero List is sent as %q, %v", b, err)
	}
}

func TestListStrict(t *testing.T) {
	strictLists := laws.Codec[wztext.List]{Parse: strict.ParseList}
	strictLists.Table(t, []laws.Case[wztext.List]{
		{Name: "all games", In: "LIST\t*\n", Want: wztext.List{Filter: "*"}},
		{Name: "space after the word", In: "LIST *\r\n", Want: wztext.List{Filter: "*"}, Differs: true},
		{Name: "no filter", In: "LIST\n", Want: wztext.List{Filter: "*"}, Differs: true},
		{Name: "another filter", In: "LIST\tSk-Rush\n", Err: lobbywire.ErrUnsupported, Field: "filter", Offset: 5},
		{Name: "small letters", In: "list\t*\n", Err: lobbywire.ErrInvalid, Field: "command", Offset: 0},
	})
}
