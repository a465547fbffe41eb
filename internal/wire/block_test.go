package wire

import (
	"testing"

	"github.com/lobbywire/lobbywire"
)

func TestBlockWritesEachKind(t *testing.T) {
	dirty := append(make([]byte, 0, 64), "given.................."...)[:5]
	w := NewWriter(dirty)
	b := w.Block(18)
	b.Uint16(0x102)
	b.TextFixed(4, "", "ab")
	b.TextFixed(3, "", "")
	b.Uint32(0x1020304)
	b.Uint32LE(0x1020304)
	w.Text("next")
	want := "given" + "\x01\x02" + "ab\x00\x00" + "\x00\x00\x00" + "\x01\x02\x03\x04" + "\x04\x03\x02\x01" + "\x00" +
		"next"
	if got, err := w.Finish("p"); err != nil || string(got) != want {
		t.Errorf("got %q, want %q, error %v", got, want, err)
	}
}

func TestBlockRefusesTextsThatDoNotFit(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		kind       error
	}{
		{"no room for the zero byte", "abcd", exceeded(4, 3)},
		{"zero byte", "a\x00b", Invalid(hasZero)},
	} {
		w := NewWriter([]byte("given"))
		w.In("rows", 2)
		b := w.Block(4)
		b.TextFixed(4, "s", tt.text)
		got, err := w.Finish("p")
		want := lobbywire.Error{Proto: "p", Field: "rows[2].s", Offset: -1, Err: tt.kind}
		if e, ok := err.(*lobbywire.Error); !ok || e.Error() != want.Error() || string(got) != "given" {
			t.Errorf("%s: got %q, error %v, want %v", tt.name, got, err, &want)
		}
	}
}
