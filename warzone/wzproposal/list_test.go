package wzproposal_test

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

func TestListAcceptsItsFormsOnly(t *testing.T) {
	all := wzproposal.List{Filter: "*"}
	listCodec.table(t, []row[wzproposal.List]{
		{Name: "all games", Text: "LIST\t*\n", Binary: "\x01\x02\x01*", Want: all},
		{Name: "no filter", Text: "LIST\n", Binary: "\x01\x00", Want: all, Differs: true},
		{Name: "empty filter", Text: "LIST\t\n", Binary: "\x01\x01\x00", Want: all, Differs: true},
		{Name: "another filter is kept", Text: "LIST\tSk Rush\n", Binary: "\x01\x08\x07Sk Rush",
			Want: wzproposal.List{Filter: "Sk Rush"}, Strict: lobbywire.ErrUnsupported},
		{Name: "a filter that begins with a space", Text: "LIST\t *\n", Binary: "\x01\x03\x02 *",
			Want: wzproposal.List{Filter: " *"}, Strict: lobbywire.ErrUnsupported},
		{Name: "two filters", Text: "LIST\t*\t*\n", Binary: "\x01\x04\x01*\x01*",
			Err: lobbywire.ErrTrailing, TextAt: 7, BinaryAt: 4},
		{Name: "nothing", Err: lobbywire.ErrTruncated, Field: "command"},
		{Name: "another command", Text: "DONE\n", Binary: "\x07\x00", Err: lobbywire.ErrInvalid, Field: "command"},
		{Name: "a second request", Text: "LIST\t*\nLIST\t*\n", Binary: "\x01\x00\x01\x00",
			Err: lobbywire.ErrTrailing, TextAt: 7, BinaryAt: 2},
	})
	listCodec.text.Table(t, []codectest.Case[wzproposal.List]{
		{Name: "space after the word", In: "LIST *\n", Want: all, Differs: true},
		{Name: "CRLF", In: "LIST\t*\r\n", Want: all, Differs: true},
		{Name: "small letters", In: "list\t*\n", Want: all, Differs: true, Strict: lobbywire.ErrInvalid},
		{Name: "no end of line", In: "LIST\t*", Err: lobbywire.ErrTruncated, Field: "filter", Offset: 5},
		{Name: "no end of line yet after CR", In: "LIST\t*\r", Err: lobbywire.ErrTruncated, Field: "filter", Offset: 5},
		{Name: "word cut", In: "LIS", Err: lobbywire.ErrTruncated, Field: "command", Offset: 0},
		{Name: "a letter that folds to an ASCII one", In: "LI\u017fT\n",
			Err: lobbywire.ErrInvalid, Field: "command", Offset: 0},
		{Name: "empty line", In: "\n", Err: lobbywire.ErrInvalid, Field: "command", Offset: 0},
	})
	listCodec.binary.Table(t, []codectest.Case[wzproposal.List]{
		{Name: "two filters, before the second comes", In: "\x01\x04\x01*", Err: lobbywire.ErrTrailing, Offset: 4},
		{Name: "filter cut", In: "\x01\x02\x01", Err: lobbywire.ErrTruncated, Field: "filter", Offset: 2},
		{Name: "filter missing yet", In: "\x01\x02", Err: lobbywire.ErrTruncated, Field: "filter", Offset: 2},
		{Name: "size missing", In: "\x01", Err: lobbywire.ErrTruncated, Field: "size", Offset: 1},
		{Name: "filter beyond the message", In: "\x01\x02\x02", Err: lobbywire.ErrInvalid, Field: "filter", Offset: 2},
	})
	refusals(t, []codectest.Refusal{
		{Name: "TAB", Value: wzproposal.List{Filter: "a\tb"}, Err: lobbywire.ErrInvalid, Field: "filter"},
	})
	binaryRefusals(t, []codectest.Refusal{
		{Name: "too long", Value: wzproposal.List{Filter: strings.Repeat("a", wzproposal.MaxPayload+1)},
			Err: lobbywire.ErrTooLarge, Field: "filter"},
	})
	if b, err := (wzproposal.List{}).AppendBinary(nil); string(b) != "LIST\t*\n" || err != nil {
		t.Errorf("the zero List is sent as %q, %v", b, err)
	}
	if b, err := wzproposal.Binary.Append(nil, wzproposal.List{}); string(b) != "\x01\x02\x01*" || err != nil {
		t.Errorf("the zero List is sent as %q, %v", b, err)
	}
}

func TestStrictListHasOneForm(t *testing.T) {
	all := wzproposal.List{Filter: "*"}
	strictLists := listCodec.strictly()
	strictLists.table(t, []row[wzproposal.List]{
		{Name: "all games", Text: "LIST\t*\n", Binary: "\x01\x02\x01*", Want: all},
		{Name: "no filter", Text: "LIST\n", Binary: "\x01\x00", Want: all, Differs: true},
		{Name: "another filter", Text: "LIST\tSk-Rush\n", Binary: "\x01\x08\x07Sk-Rush",
			Err: lobbywire.ErrUnsupported, Field: "filter", TextAt: 5, BinaryAt: 2},
	})
	strictLists.text.Table(t, []codectest.Case[wzproposal.List]{
		{Name: "space after the word", In: "LIST *\r\n", Want: all, Differs: true},
		{Name: "small letters", In: "list\t*\n", Err: lobbywire.ErrInvalid, Field: "command", Offset: 0},
	})
}
