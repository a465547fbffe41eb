package wztext_test

import (
	"bufio"
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/laws"
	"github.com/lobbywire/lobbywire/warzone/wztext"
)

func TestFrame(t *testing.T) {
	frames.Table(t, []laws.Case[wztext.Frame]{
		{Name: "a word", In: "PING\n", Want: wztext.Frame{Command: "PING"}},
		{Name: "columns", In: "PING\ta b\t\n", Want: wztext.Frame{Command: "PING", Columns: []string{"a b", ""}}},
		{Name: "only the first space separates", In: "PING a b\n", Want: wztext.Frame{Command: "PING", Columns: []string{"a b"}}, Differs: true},
		{Name: "a known word", In: "LIST\n", Want: wztext.Frame{Command: "LIST"}},
		{Name: "longest line", In: strings.Repeat("a", wztext.MaxLine-1) + "\n", Want: wztext.Frame{Command: strings.Repeat("a", wztext.MaxLine-1)}},
		{Name: "longest line without its end", In: strings.Repeat("a", wztext.MaxLine-1), Err: lobbywire.ErrTruncated, Field: "command", Offset: 0},
		{Name: "a longer line", In: strings.Repeat("a", wztext.MaxLine), Err: lobbywire.ErrTooLarge},
		{Name: "no word", In: "\ta\n", Err: lobbywire.ErrInvalid, Field: "command", Offset: 0},
		{Name: "cut in a column", In: "a\tb\tc", Err: lobbywire.ErrTruncated, Field: "columns[1]", Offset: 4},
	})
	laws.Refusals(t, []laws.Refusal{
		{Name: "no word", Value: wztext.Frame{Columns: []string{"a"}}, Err: lobbywire.ErrInvalid, Field: "command"},
		{Name: "space in the word", Value: wztext.Frame{Command: "a b"}, Err: lobbywire.ErrInvalid, Field: "command"},
		{Name: "TAB in the word", Value: wztext.Frame{Command: "a\tb"}, Err: lobbywire.ErrInvalid, Field: "command"},
		{Name: "LF in a column", Value: wztext.Frame{Command: "a", Columns: []string{"", "\n"}}, Err: lobbywire.ErrInvalid, Field: "columns[1]"},
		{Name: "line too long", Value: wztext.Frame{Command: strings.Repeat("a", wztext.MaxLine)}, Err: lobbywire.ErrTooLarge},
	})
}

func TestAppendFrame(t *testing.T) {
	b, err := wztext.AppendFrame([]byte("DONE\n"), "PING", "a b", "")
	if want := "DONE\nPING\ta b\t\n"; string(b) != want || err != nil {
		t.Errorf("got %q, %v, want %q", b, err, want)
	}
	if b, err = wztext.AppendFrame([]byte("DONE\n"), ""); string(b) != "DONE\n" || !errors.Is(err, lobbywire.ErrInvalid) {
		t.Errorf("got %q, %v, want a refusal", b, err)
	}
}

func TestNextFrame(t *testing.T) {
	for _, tt := range []struct {
		name, in    string
		limit       int
		frame, rest string
		err         error
	}{
		{"a line and a part", "LIST\nDO", 10, "LIST\n", "DO", nil},
		{"an empty line", "\r\n", 10, "\r\n", "", nil},
		{"exactly the limit", "LIST\n", 5, "LIST\n", "", nil},
		{"a part", "LIST", 5, "", "LIST", lobbywire.ErrTruncated},
		{"nothing", "", 5, "", "", lobbywire.ErrTruncated},
		{"above the limit", "LIST\n", 4, "", "LIST\n", lobbywire.ErrTooLarge},
		{"a part above the limit", "LIST", 4, "", "LIST", lobbywire.ErrTooLarge},
		{"no limit is none at all", "", -1, "", "", lobbywire.ErrTooLarge},
	} {
		frame, rest, err := wztext.NextFrame([]byte(tt.in), tt.limit)
		if string(frame) != tt.frame || string(rest) != tt.rest || !errors.Is(err, tt.err) {
			t.Errorf("%s: %q, %q, %v", tt.name, frame, rest, err)
		}
		if err == nil && cap(frame) != len(frame) {
			t.Errorf("%s: appending to the frame would reach the rest", tt.name)
		}
	}
}

func TestSplitFrames(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []string
		err      error
	}{
		{"lines", "LIST\n\nDONE\r\n", []string{"LIST\n", "\n", "DONE\r\n"}, nil},
		{"nothing", "", nil, nil},
		{"a last line without end", "LIST\nDONE", []string{"LIST\n"}, lobbywire.ErrTruncated},
		{"a line too long", "LIST\n" + strings.Repeat("a", wztext.MaxLine), []string{"LIST\n"}, lobbywire.ErrTooLarge},
	} {
		sc := bufio.NewScanner(iotest.OneByteReader(strings.NewReader(tt.in)))
		sc.Split(wztext.SplitFrames)
		var got []string
		for sc.Scan() {
			got = append(got, sc.Text())
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || !errors.Is(sc.Err(), tt.err) {
			t.Errorf("%s: %v (-want +got):\n%s", tt.name, sc.Err(), diff)
		}
		var e *lobbywire.Error
		if sc.Err() != nil && !errors.As(sc.Err(), &e) {
			t.Errorf("%s: %T at the end of the input", tt.name, sc.Err())
		}
	}
}
