package wzbin_test

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/laws"
	"github.com/lobbywire/lobbywire/warzone/wzbin"
)

func TestList(t *testing.T) {
	lists.Table(t, []laws.Case[wzbin.List]{
		{Name: "all games", In: "\x01\x02\x01*", Want: wzbin.List{Filter: "*"}},
		{Name: "no filter", In: "\x01\x00", Want: wzbin.List{Filter: "*"}, Differs: true},
		{Name: "empty filter", In: "\x01\x01\x00", Want: wzbin.List{Filter: "*"}, Differs: true},
		{Name: "another filter is kept", In: "\x01\x08\x07Sk-Rush", Want: wzbin.List{Filter: "Sk-Rush"}},
		{Name: "two filters", In: "\x01\x04\x01*\x01*", Err: lobbywire.ErrTrailing, Offset: 4},
		{Name: "two filters, before the second comes", In: "\x01\x04\x01*", Err: lobbywire.ErrTrailing, Offset: 4},
		{Name: "filter cut", In: "\x01\x02\x01", Err: lobbywire.ErrTruncated, Field: "filter", Offset: 2},
		{Name: "filter missing yet", In: "\x01\x02", Err: lobbywire.ErrTruncated, Field: "filter", Offset: 2},
		{Name: "size missing", In: "\x01", Err: lobbywire.ErrTruncated, Field: "size", Offset: 1},
		{Name: "nothing", In: "", Err: lobbywire.ErrTruncated, Field: "command", Offset: 0},
		{Name: "filter beyond the message", In: "\x01\x02\x02", Err: lobbywire.ErrInvalid, Field: "filter", Offset: 2},
		{Name: "another command", In: "\x07\x00", Err: lobbywire.ErrInvalid, Field: "command", Offset: 0},
		{Name: "a second frame", In: "\x01\x00\x01\x00", Err: lobbywire.ErrTrailing, Offset: 2},
	})
	laws.Refusals(t, []laws.Refusal{
		{Name: "TAB", Value: wzbin.List{Filter: "a\tb"}, Err: lobbywire.ErrInvalid, Field: "filter"},
		{Name: "too long", Value: wzbin.List{Filter: strings.Repeat("a", wzbin.MaxPayload+1)}, Err: lobbywire.ErrTooLarge, Field: "filter"},
	})
	if b, err := (wzbin.List{}).MarshalBinary(); string(b) != "\x01\x02\x01*" || err != nil {
		t.Errorf("the zero List is sent as %q, %v", b, err)
	}
}

func TestListStrict(t *testing.T) {
	strictLists := laws.Codec[wzbin.List]{Parse: strict.ParseList}
	strictLists.Table(t, []laws.Case[wzbin.List]{
		{Name: "all games", In: "\x01\x02\x01*", Want: wzbin.List{Filter: "*"}},
		{Name: "no filter", In: "\x01\x00", Want: wzbin.List{Filter: "*"}, Differs: true},
		{Name: "another filter", In: "\x01\x08\x07Sk-Rush", Err: lobbywire.ErrUnsupported, Field: "filter", Offset: 2},
	})
}
