package wire

import (
	"errors"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
)

func TestWithinReadsBetweenSeparators(t *testing.T) {
	in := []byte("\x02ab" + "cd\t" + "\t" + "ef\r\n" + "\x01g" + "h;")
	r := NewReader(in)
	got := []string{
		r.TextWithin(1, 2, 0, ""), r.TextWithin(0, 2, 1, ""), r.TextWithin(0, 0, 1, ""), r.TextWithin(0, 2, 2, ""),
		string(r.ViewWithin(1, 1, 0, "")), string(r.ViewWithin(0, 1, 1, "")), string(r.ViewWithin(0, 0, 0, "")),
	}
	if diff := cmp.Diff([]string{"ab", "cd", "", "ef", "g", "h", ""}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	r.End()
	if err := r.Err("p"); err != nil {
		t.Error(err)
	}
}

func TestWithinExplainsOneField(t *testing.T) {
	e := Explain("p", "M", []byte("\x02abcd\t"), func(r *Reader) {
		r.TextWithin(1, 2, 0, "first")
		r.ViewWithin(0, 2, 1, "second")
	})
	want := []lobbywire.Field{
		{Name: "first", Offset: 0, Length: 3, Value: `"ab"`},
		{Name: "second", Offset: 3, Length: 3, Value: `"cd"`},
	}
	if diff := cmp.Diff(want, e.Fields); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWithinFailsIfCut(t *testing.T) {
	for name, read := range map[string]func(r *Reader) int{
		"text": func(r *Reader) int { return len(r.TextWithin(1, 2, 1, "f")) },
		"view": func(r *Reader) int { return len(r.ViewWithin(1, 2, 1, "f")) },
	} {
		r := NewReader([]byte("\x02ab"))
		n := read(&r)
		var got *lobbywire.Error
		want := lobbywire.Error{Proto: "p", Field: "f", Err: lobbywire.ErrTruncated}
		if !errors.As(r.Err("p"), &got) || *got != want || n != 0 {
			t.Errorf("%s of %d bytes, error %v, want %v", name, n, got, &want)
		}
	}
}

func TestWriterAppendsTexts(t *testing.T) {
	w := NewWriter([]byte("x"))
	w.Addr(netip.Addr{})
	w.Addr(netip.MustParseAddr("2001:db8::1"))
	w.Decimal(0)
	w.Decimal(1<<64 - 1)
	w.TextAfter(';', "text")
	w.TextAfter(';', "")
	got, err := w.Finish("p")
	if want := "x2001:db8::1018446744073709551615;text;"; string(got) != want || err != nil {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

func TestSizeOfOneByteIsLimited(t *testing.T) {
	for _, n := range []int{0, 1, 255, 256} {
		w := NewWriter([]byte("x"))
		at := w.Size(1)
		w.Bytes(make([]byte, n))
		w.SetSize(at, 1, "size")
		got, err := w.Finish("p")
		if n > 255 {
			if err == nil || string(got) != "x" {
				t.Errorf("%d bytes: %q, %v, want a refusal", n, got, err)
			}
			continue
		}
		if err != nil || len(got) != 2+n || int(got[1]) != n {
			t.Errorf("%d bytes: %x, %v", n, got, err)
		}
	}
}
