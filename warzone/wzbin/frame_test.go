package wzbin_test

import (
	"bufio"
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/laws"
	"github.com/lobbywire/lobbywire/warzone/wzbin"
)

func TestFrame(t *testing.T) {
	frames.Table(t, []laws.Case[wzbin.Frame]{
		{Name: "no payloads", In: "\x00\x00"},
		{Name: "payloads", In: "\xc8\x05\x00\x02ab\x00", Want: wzbin.Frame{Command: 200, Payloads: [][]byte{{}, []byte("ab"), {}}}},
		{Name: "a known command", In: "\x01\x00", Want: wzbin.Frame{Command: wzbin.CommandList}},
		{Name: "longest payload", In: "\x08\xff\xfe" + strings.Repeat("a", 254), Want: wzbin.Frame{Command: 8, Payloads: [][]byte{[]byte(strings.Repeat("a", 254))}}},
		{Name: "most payloads", In: "\x08\xff" + strings.Repeat("\x00", 255), Want: wzbin.Frame{Command: 8, Payloads: empties(255)}},
		{Name: "payload beyond the message", In: "\x08\x03\x01a\x01b", Err: lobbywire.ErrInvalid, Field: "payloads[1]", Offset: 4},
		{Name: "payload beyond any message", In: "\x08\xff\xff", Err: lobbywire.ErrInvalid, Field: "payloads[0]", Offset: 2},
		{Name: "cut in a payload", In: "\x08\x05\x01a\x02b", Err: lobbywire.ErrTruncated, Field: "payloads[1]", Offset: 4},
		{Name: "cut before a payload", In: "\x08\x05\x01a", Err: lobbywire.ErrTruncated, Field: "payloads[1]", Offset: 4},
		{Name: "a byte too many", In: "\x08\x00\x00", Err: lobbywire.ErrTrailing, Offset: 2},
	})
	laws.Refusals(t, []laws.Refusal{
		{Name: "payload too long", Value: wzbin.Frame{Payloads: [][]byte{make([]byte, 255)}}, Err: lobbywire.ErrTooLarge, Field: "payloads[0]"},
		{Name: "payloads too long together", Value: wzbin.Frame{Payloads: [][]byte{nil, make([]byte, 254)}}, Err: lobbywire.ErrTooLarge, Field: "size"},
		{Name: "too many payloads", Value: wzbin.Frame{Payloads: make([][]byte, 256)}, Err: lobbywire.ErrTooLarge, Field: "size"},
	})
}

// empties returns n payloads of no bytes.
func empties(n int) [][]byte {
	p := make([][]byte, n)
	for i := range p {
		p[i] = []byte{}
	}
	return p
}

func TestPayloadsAreApart(t *testing.T) {
	m, err := wzbin.ParseFrame([]byte("\x08\x04\x01a\x01b"))
	if err != nil {
		t.Fatal(err)
	}
	_ = append(m.Payloads[0], 'x')
	if string(m.Payloads[1]) != "b" {
		t.Error("appending to a payload reaches the next")
	}
}

func TestAppendFrame(t *testing.T) {
	b, err := wzbin.AppendFrame([]byte("\x07\x00"), 9, []byte("ab"), nil)
	if want := "\x07\x00\x09\x04\x02ab\x00"; string(b) != want || err != nil {
		t.Errorf("got %q, %v, want %q", b, err, want)
	}
	if b, err = wzbin.AppendFrame([]byte("\x07\x00"), 9, make([]byte, 255)); string(b) != "\x07\x00" || !errors.Is(err, lobbywire.ErrTooLarge) {
		t.Errorf("got %q, %v, want a refusal", b, err)
	}
}

func TestNextFrame(t *testing.T) {
	for _, tt := range []struct {
		name, in    string
		frame, rest string
		err         error
	}{
		{"a frame and a part", "\x01\x02\x01*\x07", "\x01\x02\x01*", "\x07", nil},
		{"a frame of no payloads", "\x07\x00", "\x07\x00", "", nil},
		{"the content is not judged", "\x07\x01\xff", "\x07\x01\xff", "", nil},
		{"a part", "\x01\x02\x01", "", "\x01\x02\x01", lobbywire.ErrTruncated},
		{"a command", "\x01", "", "\x01", lobbywire.ErrTruncated},
		{"nothing", "", "", "", lobbywire.ErrTruncated},
	} {
		frame, rest, err := wzbin.NextFrame([]byte(tt.in))
		if string(frame) != tt.frame || string(rest) != tt.rest || err != tt.err {
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
		{"frames", "\x01\x02\x01*\x07\x00", []string{"\x01\x02\x01*", "\x07\x00"}, nil},
		{"nothing", "", nil, nil},
		{"a last frame that is cut", "\x07\x00\x01\x02\x01", []string{"\x07\x00"}, lobbywire.ErrTruncated},
	} {
		sc := bufio.NewScanner(iotest.OneByteReader(strings.NewReader(tt.in)))
		sc.Split(wzbin.SplitFrames)
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
