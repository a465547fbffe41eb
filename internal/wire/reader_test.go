package wire

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
)

func TestReaderReadsEachKind(t *testing.T) {
	r := NewReader([]byte("\x01" + "\x01\x02" + "\x02\x01" + "\x01\x02\x03\x04" + "\x04\x03\x02\x01" +
		"\x01\x02\x03\x04\x05\x06\x07\x08" + "\x3f\x80\x00\x00" +
		"\x02ab" + "cd\x00" + "ef;" + "gh" + "\xff\xfe" + "skip" + "rest"))
	want := []any{
		uint8(1), uint16(0x102), uint16(0x102), uint32(0x1020304), uint32(0x1020304),
		uint64(0x102030405060708), float32(1),
		"ab", "cd", "ef", true, "gh", []byte{0xff, 0xfe}, 8, []byte("rest"), []byte(nil), error(nil),
	}
	until := func(text string, found bool) []any { return []any{text, found} }
	got := []any{
		r.Uint8(""), r.Uint16(""), r.Uint16LE(""), r.Uint32(""), r.Uint32LE(""),
		r.Uint64(""), r.Float32(""),
		r.Text8(""), r.Text0(""),
	}
	got = append(got, until(r.TextUntil(';', ""))...)
	got = append(got, r.Text(2, ""), r.Bytes(2, ""), r.Len())
	r.Skip(4, "")
	got = append(got, r.Rest(""), r.Rest(""), r.Err("p"))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCountPairsCountsWholePairs(t *testing.T) {
	for in, want := range map[string]int{
		"": 0, "a": 0, "a\x00": 0, "a\x00b": 0, "a\x00b\x00": 1, "a\x00\x00b\x00c\x00": 2,
		"a\x00b\x00\x00c\x00d\x00": 1, "\x00a\x00": 0,
	} {
		if r := NewReader([]byte(in)); r.CountPairs() != want || r.Offset() != 0 {
			t.Errorf("%q has %d pairs, want %d", in, r.CountPairs(), want)
		}
	}
}

func TestReaderLocatesFailures(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   string
		read func(r *Reader)
		want *lobbywire.Error // nil if reading succeeds
	}{
		{"number cut", "\x01",
			func(r *Reader) { r.Uint16("n") }, &lobbywire.Error{Field: "n", Offset: 0, Err: lobbywire.ErrTruncated}},
		{"length byte missing", "",
			func(r *Reader) { r.Text8("s") }, &lobbywire.Error{Field: "s", Offset: 0, Err: lobbywire.ErrTruncated}},
		{"text of 255 bytes is whole", "\xff" + string(make([]byte, 255)),
			func(r *Reader) { r.Text8("s"); r.End() }, nil},
		{"text of 255 bytes cut", "\xff" + string(make([]byte, 254)),
			func(r *Reader) { r.Text8("s") }, &lobbywire.Error{Field: "s", Offset: 0, Err: lobbywire.ErrTruncated}},
		{"zero byte missing", "xab", func(r *Reader) { r.Uint8(""); r.Text0("s") },
			&lobbywire.Error{Field: "s", Offset: 1, Err: lobbywire.ErrTruncated}},
		{"negative size", "abc",
			func(r *Reader) { r.Skip(-1, "s") }, &lobbywire.Error{Field: "s", Offset: 0, Err: lobbywire.ErrTruncated}},
		{"bytes left", "abc",
			func(r *Reader) { r.Uint8(""); r.End() }, &lobbywire.Error{Offset: 1, Err: lobbywire.ErrTrailing}},
		{"constant", "\x01\x02", func(r *Reader) { r.Const16("n", 0x102); r.End() }, nil},
		{"constant cut", "\x01", func(r *Reader) { r.Const16("n", 0x102) },
			&lobbywire.Error{Field: "n", Offset: 0, Err: lobbywire.ErrTruncated}},
		{"another constant, cut", "\x02", func(r *Reader) { r.Const16("n", 0x102) },
			&lobbywire.Error{Field: "n", Offset: 0, Err: Invalid("is not the number that starts such messages")}},
		{"another constant", "\x01\x03", func(r *Reader) { r.Const16("n", 0x102) },
			&lobbywire.Error{Field: "n", Offset: 0, Err: Invalid("is not the number that starts such messages")}},
		{"constant of one byte", "\x04", func(r *Reader) { r.Const8("n", 9) },
			&lobbywire.Error{Field: "n", Offset: 0, Err: numbers{lobbywire.ErrInvalid, "is %d, want %d", 4, 9}}},
		{"array cut", "ab",
			func(r *Reader) { r.Array4("a") }, &lobbywire.Error{Field: "a", Offset: 0, Err: lobbywire.ErrTruncated}},
		{"first failure is kept", "abc", func(r *Reader) {
			r.Uint32("n")
			r.Fail(lobbywire.ErrInvalid, "m", 0)
			r.End()
		}, &lobbywire.Error{Field: "n", Offset: 0, Err: lobbywire.ErrTruncated}},
		{"scope names the field", "", func(r *Reader) { r.In("players", 3); r.Uint8("name") },
			&lobbywire.Error{Field: "players[3].name", Offset: 0, Err: lobbywire.ErrTruncated}},
		{"scope without index", "", func(r *Reader) { r.In("info", -1); r.Uint8("name") },
			&lobbywire.Error{Field: "info.name", Offset: 0, Err: lobbywire.ErrTruncated}},
		{"scope without field", "", func(r *Reader) { r.In("metrics", 0); r.Uint8("") },
			&lobbywire.Error{Field: "metrics[0]", Offset: 0, Err: lobbywire.ErrTruncated}},
		{"count above limit", "abc",
			func(r *Reader) { r.Count(3, 1, 2, "n", 0) }, &lobbywire.Error{Field: "n", Offset: 0, Err: exceeded(3, 2)}},
		{"count above what is left", "abc", func(r *Reader) { r.Count(2, 2, 10, "n", 0) },
			&lobbywire.Error{Field: "n", Offset: 0, Err: lobbywire.ErrTruncated}},
		{"count that would overflow", "abc", func(r *Reader) { r.Count(1<<31, 1<<30, 1<<31-1, "n", 0) },
			&lobbywire.Error{Field: "n", Offset: 0, Err: exceeded(1<<31, 1<<31-1)}},
		{"part longer than the message", "abc", func(r *Reader) { r.Leave(r.Enter(4, "size", 0)) },
			&lobbywire.Error{Field: "size", Offset: 0, Err: lobbywire.ErrTruncated}},
		{"field longer than its part", "abc", func(r *Reader) { o := r.Enter(1, "size", 0); r.Uint16("n"); r.Leave(o) },
			&lobbywire.Error{Field: "n", Offset: 0, Err: Invalid("does not fit in the part that holds it")}},
		{"bytes left in a part", "abc", func(r *Reader) { o := r.Enter(2, "size", 0); r.Uint8("n"); r.Leave(o) },
			&lobbywire.Error{Offset: 1, Err: lobbywire.ErrTrailing}},
		{"part read to its end", "abc",
			func(r *Reader) { o := r.Enter(1, "size", 0); r.Uint8("n"); r.Leave(o); r.Uint16("m"); r.End() }, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := NewReader([]byte(tt.in))
			tt.read(&r)
			err := r.Err("p")
			if tt.want == nil {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			tt.want.Proto = "p"
			var got *lobbywire.Error
			if !errors.As(err, &got) || got.Error() != tt.want.Error() {
				t.Errorf("error %v, want %v", err, tt.want)
			}
			if r.Len() != 0 || r.Uint8("") != 0 || r.Text8("") != "" || r.Bytes(1, "") != nil {
				t.Error("reads after a failure yield something")
			}
		})
	}
}

func TestReaderCopiesTextOnce(t *testing.T) {
	in := []byte("\x02ab\x02cd\x02ef")
	got := testing.AllocsPerRun(100, func() {
		r := NewReader(in)
		for range 3 {
			if len(r.Text8("")) != 2 {
				t.Fatal("no text")
			}
		}
	})
	if got != 1 {
		t.Errorf("%v allocations, want 1", got)
	}
}

func TestExplainNamesTheRest(t *testing.T) {
	decode := func(r *Reader) {
		r.Uint8("type")
		r.In("info", -1)
		r.Text8("name")
	}
	for _, tt := range []struct {
		name string
		in   string
		want []lobbywire.Field
	}{
		{"whole", "\x01\x01\xff", []lobbywire.Field{
			{Name: "type", Offset: 0, Length: 1, Value: "1"},
			{Name: "info.name", Offset: 1, Length: 2, Value: `"\xff"`},
		}},
		{"cut", "\x01\x03ab", []lobbywire.Field{
			{Name: "type", Offset: 0, Length: 1, Value: "1"},
			{Name: "info.name", Offset: 1, Length: 3},
		}},
		{"more than was read", "\x01\x00rest", []lobbywire.Field{
			{Name: "type", Offset: 0, Length: 1, Value: "1"},
			{Name: "info.name", Offset: 1, Length: 1, Value: `""`},
			{Name: "unread", Offset: 2, Length: 4},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := Explain("p", "M", []byte(tt.in), decode)
			if diff := cmp.Diff(tt.want, e.Fields); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// After Substitute the Reader reads other bytes, at the same offsets, even if it has
// copied the input for an earlier text.
func TestSubstituteKeepsOffsets(t *testing.T) {
	in := []byte("ab\x00\x01\x02\x03\x04x")
	r := NewReader(in)
	first := r.Text0("")
	outer := r.Enter(4, "", 0)
	r.Substitute([]byte("cd\x00\x09"))
	second := r.Text0("")
	at := r.Offset()
	number := r.Uint8("")
	r.Leave(outer)
	if last := r.Text(1, ""); first != "ab" || second != "cd" || at != 6 || number != 9 || last != "x" {
		t.Errorf("%q, %q, %d at %d, %q", first, second, number, at, last)
	}
	if err := r.Err("p"); err != nil || string(in) != "ab\x00\x01\x02\x03\x04x" {
		t.Errorf("%v, input %q", err, in)
	}
}

// A failure is one allocation, with its reason. Its text is built when it is printed.
func TestReasonsCostNothing(t *testing.T) {
	in := []byte{4}
	for name, fail := range map[string]func() error{
		"truncated": func() error { r := NewReader(in); r.Uint16("n"); return r.Err("p") },
		"refusal":   func() error { r := NewReader(in); r.Refuse("n", 0, "is not a number"); return r.Err("p") },
		"kind": func() error {
			r := NewReader(in)
			r.Fail(Unsupported("is not known"), "n",
				0)
			return r.Err("p")
		},
		"excess":   func() error { r := NewReader(in); r.Exceed("n", 0, 4000, 1400); return r.Err("p") },
		"constant": func() error { r := NewReader(in); r.Const8("n", 9); return r.Err("p") },
		"count":    func() error { r := NewReader(in); r.Count(4000, 1, 1400, "n", 0); return r.Err("p") },
	} {
		var err error
		got := testing.AllocsPerRun(100, func() { err = fail() })
		if got > 1 || err == nil {
			t.Errorf("%s: %v allocations, error %v", name, got, err)
		}
	}
}
