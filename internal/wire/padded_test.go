package wire

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
)

func TestTextPaddedEndsAtZeroOrPads(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"zero byte", "ab \x00 x", "ab "},
		{"pads", "ab c  ", "ab c"},
		{"full", "abcdef", "abcdef"},
		{"pads only", "      ", ""},
		{"zero bytes only", "\x00\x00\x00\x00\x00\x00", ""},
	} {
		r := NewReader([]byte(tt.in + "next"))
		if got := r.TextPadded(6, ' ', "s"); got != tt.want || r.Text(4, "") != "next" {
			t.Errorf("%s: got %q, want %q; error %v", tt.name, got, tt.want, r.Err("p"))
		}
	}
}

func TestTextPaddedFailsIfCut(t *testing.T) {
	r := NewReader([]byte("abc"))
	got := r.TextPadded(4, ' ', "s")
	want := &lobbywire.Error{Proto: "p", Field: "s", Offset: 0, Err: lobbywire.ErrTruncated}
	if diff := cmp.Diff(error(want), r.Err("p"),
		cmp.Comparer(func(a, b error) bool { return a.Error() == b.Error() })); got != "" || diff != "" {
		t.Errorf("got %q (-want +got):\n%s", got, diff)
	}
}

func TestGrowAllocatesOnce(t *testing.T) {
	w := NewWriter([]byte("given"))
	w.Grow(100)
	w.Text("ab")
	room := cap(w.b)
	w.Bytes(make([]byte, 98))
	got, err := w.Finish("p")
	if err != nil || string(got[:7]) != "givenab" || len(got) != 105 || cap(got) != room {
		t.Errorf("got %q, capacity %d after %d, error %v", got, cap(got), room, err)
	}
}
