package refusal

import (
	"fmt"
	"io"
	"net/netip"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire"
)

// What answered in part is not said to be silent.
func TestPartialAnswerIsNotSilence(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want lobbywire.Reason
	}{
		{lobbywire.ErrTimeout, lobbywire.ReasonUnreachable},
		{io.ErrUnexpectedEOF, lobbywire.ReasonUnreachable},
		{fmt.Errorf("%w: %w", lobbywire.ErrUnreadable, lobbywire.ErrTruncated), lobbywire.ReasonOther},
		{&lobbywire.Error{Proto: "warzone", Err: lobbywire.ErrInvalid}, lobbywire.ReasonOther},
		{New(lobbywire.ReasonBusy, "busy", "Busy."), lobbywire.ReasonBusy},
	} {
		r := Of(netip.AddrPort{}, Unreachable(tt.err))
		if r.Reason != tt.want {
			t.Errorf("%v: %v, want %v", tt.err, r.Reason, tt.want)
		}
	}
}

func TestShownEndsBetweenCharacters(t *testing.T) {
	for _, tt := range []struct {
		text string
		size int
		want string
	}{
		{"", 3, ""},
		{"abc", 3, "abc"},
		{"abcd", 3, "abc"},
		{"äöü", 4, "äö"},
		{"äöü", 3, "ä"},
		{"健", 2, ""},
		{"a\x00b\tc\n", 9, "a b c "},
		{"\u0080\u009f", 2, "  "},
		{"B\xf6se", 5, "Böse"},
		{"\xff\xfe", 4, "ÿþ"},
		{"\xff\xfe", 3, "ÿ"},
		{"\x80\x81", 4, "€ "},
		{"健\xe5\x81", 6, "健\ufffd"},
		{"👩‍👩", 5, "👩"},
	} {
		if got := Shown(tt.text, tt.size); got != tt.want {
			t.Errorf("%q in %d: %q, want %q", tt.text, tt.size, got, tt.want)
		}
	}
}

func FuzzShown(f *testing.F) {
	f.Add("Evil\x1b[2J\xff\u009b健", 7)
	f.Fuzz(func(t *testing.T, text string, size int) {
		size = int(uint8(size))
		got := Shown(text, size)
		if len(got) > size || !utf8.ValidString(got) || strings.ContainsAny(got, "\x00\t\n\r\x1b\x7f\u009b") {
			t.Errorf("%q in %d: %q", text, size, got)
		}
		if again := Shown(got, size); again != got {
			t.Errorf("%q, then %q", got, again)
		}
	})
}
