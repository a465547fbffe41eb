package wzproposal_test

import (
	"bufio"
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

func TestFrameAcceptsItsFormsOnly(t *testing.T) {
	frameCodec.text.Table(t, []codectest.Case[wzproposal.Frame]{
		{Name: "a word", In: "PING\n", Want: wzproposal.Frame{Command: "PING"}},
		{Name: "columns", In: "PING\ta b\t\n", Want: wzproposal.Frame{Command: "PING", Fields: []string{"a b", ""}}},
		{Name: "only the first space separates", In: "PING a b\n",
			Want: wzproposal.Frame{Command: "PING", Fields: []string{"a b"}}, Differs: true},
		{Name: "a known word", In: "LIST\n", Want: wzproposal.Frame{Command: "LIST"}},
		{Name: "longest line", In: strings.Repeat("a", wzproposal.MaxLine-1) + "\n",
			Want: wzproposal.Frame{Command: strings.Repeat("a", wzproposal.MaxLine-1)}},
		{Name: "longest line without its end", In: strings.Repeat("a", wzproposal.MaxLine-1),
			Err: lobbywire.ErrTruncated, Field: "command", Offset: 0},
		{Name: "a longer line", In: strings.Repeat("a", wzproposal.MaxLine), Err: lobbywire.ErrTooLarge},
		{Name: "no word", In: "\ta\n", Err: lobbywire.ErrInvalid, Field: "command", Offset: 0},
		{Name: "cut in a column", In: "a\tb\tc", Err: lobbywire.ErrTruncated, Field: "fields[1]", Offset: 4},
	})
	frameCodec.binary.Table(t, []codectest.Case[wzproposal.Frame]{
		{Name: "no payloads", In: "\x00\x00", Want: wzproposal.Frame{Command: "0"}},
		{Name: "payloads", In: "\xc8\x05\x00\x02ab\x00",
			Want: wzproposal.Frame{Command: "200", Fields: []string{"", "ab", ""}}},
		{Name: "a known command", In: "\x01\x00", Want: wzproposal.Frame{Command: "LIST"}},
		{Name: "a game", In: "\x06\x00", Want: wzproposal.Frame{Command: "GAME"}},
		{Name: "longest payload", In: "\x08\xff\xfe" + strings.Repeat("a", 254),
			Want: wzproposal.Frame{Command: "ERROR", Fields: []string{strings.Repeat("a", 254)}}},
		{Name: "most payloads", In: "\x08\xff" + strings.Repeat("\x00", 255),
			Want: wzproposal.Frame{Command: "ERROR", Fields: make([]string, 255)}},
		{Name: "payload beyond the message", In: "\x08\x03\x01a\x01b",
			Err: lobbywire.ErrInvalid, Field: "fields[1]", Offset: 4},
		{Name: "payload beyond any message", In: "\x08\xff\xff",
			Err: lobbywire.ErrInvalid, Field: "fields[0]", Offset: 2},
		{Name: "cut in a payload", In: "\x08\x05\x01a\x02b",
			Err: lobbywire.ErrTruncated, Field: "fields[1]", Offset: 4},
		{Name: "cut before a payload", In: "\x08\x05\x01a", Err: lobbywire.ErrTruncated, Field: "fields[1]", Offset: 4},
		{Name: "a byte too many", In: "\x08\x00\x00", Err: lobbywire.ErrTrailing, Offset: 2},
	})
	refusals(t, []codectest.Refusal{
		{Name: "no word", Value: wzproposal.Frame{Fields: []string{"a"}}, Err: lobbywire.ErrInvalid, Field: "command"},
		{Name: "space in the word", Value: wzproposal.Frame{Command: "a b"},
			Err: lobbywire.ErrInvalid, Field: "command"},
		{Name: "TAB in the word", Value: wzproposal.Frame{Command: "a\tb"},
			Err: lobbywire.ErrInvalid, Field: "command"},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "LF in a column", Value: wzproposal.Frame{Command: "a", Fields: []string{"", "\n"}},
			Err: lobbywire.ErrInvalid, Field: "fields[1]"},
		{Name: "line too long", Value: wzproposal.Frame{Command: strings.Repeat("a", wzproposal.MaxLine)},
			Err: lobbywire.ErrTooLarge},
	})
	binaryRefusals(t, []codectest.Refusal{
		{Name: "a word that is no command", Value: wzproposal.Frame{Command: "PING"},
			Err: lobbywire.ErrInvalid, Field: "command"},
		{Name: "the number of a word", Value: wzproposal.Frame{Command: "1"},
			Err: lobbywire.ErrInvalid, Field: "command"},
		{Name: "leading zero", Value: wzproposal.Frame{Command: "09"}, Err: lobbywire.ErrInvalid, Field: "command"},
		{Name: "number too large", Value: wzproposal.Frame{Command: "256"},
			Err: lobbywire.ErrInvalid, Field: "command"},
		{Name: "payload too long", Value: wzproposal.Frame{Command: "9", Fields: []string{string(make([]byte, 255))}},
			Err: lobbywire.ErrTooLarge, Field: "fields[0]"},
		{Name: "payloads too long together",
			Value: wzproposal.Frame{Command: "9", Fields: []string{"", string(make([]byte, 254))}},
			Err:   lobbywire.ErrTooLarge, Field: "size"},
		{Name: "too many payloads", Value: wzproposal.Frame{Command: "9", Fields: make([]string, 256)},
			Err: lobbywire.ErrTooLarge, Field: "size"},
	})
}

func TestFrameIsAppended(t *testing.T) {
	b, err := wzproposal.Frame{Command: "PING", Fields: []string{"a b", ""}}.AppendBinary([]byte("DONE\n"))
	if want := "DONE\nPING\ta b\t\n"; string(b) != want || err != nil {
		t.Errorf("got %q, %v, want %q", b, err, want)
	}
	b, err = wzproposal.Frame{}.AppendBinary([]byte("DONE\n"))
	if string(b) != "DONE\n" || !errors.Is(err, lobbywire.ErrInvalid) {
		t.Errorf("got %q, %v, want a refusal", b, err)
	}
}

func TestAppendKeepsTheBytesBefore(t *testing.T) {
	b, err := wzproposal.Binary.Append([]byte("\x07\x00"), wzproposal.Frame{Command: "9", Fields: []string{"ab", ""}})
	if want := "\x07\x00\x09\x04\x02ab\x00"; string(b) != want || err != nil {
		t.Errorf("got %q, %v, want %q", b, err, want)
	}
	for _, m := range []wzproposal.Message{&wzproposal.Done{}, nil} {
		for _, e := range encodings {
			b, err := e.Append([]byte("given"), m)
			if string(b) != "given" || !errors.Is(err, lobbywire.ErrUnsupported) {
				t.Errorf("%T, %s: %q, %v, want a refusal", m, e, b, err)
			}
		}
	}
}

func TestEncodingsHaveNames(t *testing.T) {
	for e, want := range []string{"text", "binary", "encoding(2)"} {
		if got := wzproposal.Encoding(e).String(); got != want {
			t.Errorf("encoding %d is called %q, want %q", e, got, want)
		}
	}
}

func TestNextReadsWholeFramesOnly(t *testing.T) {
	binary := wzproposal.Options{Encoding: wzproposal.Binary}
	for _, tt := range []struct {
		name, in    string
		o           wzproposal.Options
		frame, rest string
		err         error
	}{
		{"a line and a part", "LIST\nDO", wzproposal.Options{MaxLine: 10}, "LIST\n", "DO", nil},
		{"an empty line", "\r\n", wzproposal.Options{MaxLine: 10}, "\r\n", "", nil},
		{"exactly the limit", "LIST\n", wzproposal.Options{MaxLine: 5}, "LIST\n", "", nil},
		{"a part", "LIST", wzproposal.Options{MaxLine: 5}, "", "LIST", lobbywire.ErrTruncated},
		{"nothing", "", wzproposal.Options{MaxLine: 5}, "", "", lobbywire.ErrTruncated},
		{"above the limit", "LIST\n", wzproposal.Options{MaxLine: 4}, "", "LIST\n", lobbywire.ErrTooLarge},
		{"a part above the limit", "LIST", wzproposal.Options{MaxLine: 4}, "", "LIST", lobbywire.ErrTooLarge},
		{"a negative limit is none at all", "", wzproposal.Options{MaxLine: -1}, "", "", lobbywire.ErrTooLarge},
		{"comments of a transcript", "// x\n\n> LIST\nDO", transcript, "> LIST\n", "DO", nil},
		{"comments alone", "// x\n\n", transcript, "", "", lobbywire.ErrTruncated},

		{"a frame and a part", "\x01\x02\x01*\x07", binary, "\x01\x02\x01*", "\x07", nil},
		{"a frame of no payloads", "\x07\x00", binary, "\x07\x00", "", nil},
		{"the content is not judged", "\x07\x01\xff", binary, "\x07\x01\xff", "", nil},
		{"a part of a frame", "\x01\x02\x01", binary, "", "\x01\x02\x01", lobbywire.ErrTruncated},
		{"a command", "\x01", binary, "", "\x01", lobbywire.ErrTruncated},
		{"no frame", "", binary, "", "", lobbywire.ErrTruncated},
	} {
		frame, rest, err := (&wzproposal.Framer{Options: tt.o}).Next([]byte(tt.in))
		if string(frame) != tt.frame || string(rest) != tt.rest || !errors.Is(err, tt.err) {
			t.Errorf("%s: %q, %q, %v", tt.name, frame, rest, err)
		}
		if err == nil && cap(frame) != len(frame) {
			t.Errorf("%s: appending to the frame would reach the rest", tt.name)
		}
	}
}

func TestFramerSplitsStreams(t *testing.T) {
	binary := wzproposal.Options{Encoding: wzproposal.Binary}
	for _, tt := range []struct {
		name, in string
		split    bufio.SplitFunc
		want     []string
		err      error
	}{
		{"lines", "LIST\n\nDONE\r\n", new(wzproposal.Framer).Split, []string{"LIST\n", "\n", "DONE\r\n"}, nil},
		{"nothing", "", new(wzproposal.Framer).Split, nil, nil},
		{"a last line without end", "LIST\nDONE", new(wzproposal.Framer).Split, []string{"LIST\n"}, lobbywire.ErrTruncated},
		{"a line too long", "LIST\n" + strings.Repeat("a", wzproposal.MaxLine), new(wzproposal.Framer).Split,
			[]string{"LIST\n"}, lobbywire.ErrTooLarge},
		{"a transcript", "// x\n> LIST\n\n< DONE\n\n", (&wzproposal.Framer{Options: transcript}).Split,
			[]string{"> LIST\n", "< DONE\n"}, nil},
		{"frames", "\x01\x02\x01*\x07\x00", (&wzproposal.Framer{Options: binary}).Split,
			[]string{"\x01\x02\x01*", "\x07\x00"}, nil},
		{"no frames", "", (&wzproposal.Framer{Options: binary}).Split, nil, nil},
		{"a last frame that is cut", "\x07\x00\x01\x02\x01", (&wzproposal.Framer{Options: binary}).Split,
			[]string{"\x07\x00"}, lobbywire.ErrTruncated},
	} {
		sc := bufio.NewScanner(iotest.OneByteReader(strings.NewReader(tt.in)))
		sc.Split(tt.split)
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
