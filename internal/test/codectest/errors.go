package codectest

import (
	"errors"
	"slices"
	"testing"

	"github.com/lobbywire/lobbywire"
)

// CheckError tests the error of a decoder with n bytes of input, or of an encoder if n
// is -1.
func CheckError(t testing.TB, err error, n int) {
	t.Helper()
	e, ok := err.(*lobbywire.Error)
	if !ok {
		t.Fatalf("error is %T, want *lobbywire.Error", err)
	}
	if !slices.ContainsFunc(kinds, func(k error) bool { return errors.Is(err, k) }) {
		t.Fatalf("error %v has no kind", err)
	}
	if n < 0 && e.Offset != -1 || n >= 0 && (e.Offset < 0 || e.Offset > n) {
		t.Fatalf("error %v: offset %d, input %d bytes", err, e.Offset, n)
	}
	if n < 0 && errors.Is(err, lobbywire.ErrTruncated) {
		t.Fatalf("encoder failed with %v", err)
	}
	// Truncated and trailing data need no reason.
	if slices.Contains(kinds[2:], e.Err) {
		t.Fatalf("error %v gives no reason", err)
	}
}

// checkExplanation tests the explanation of b. err is the error of Parse.
func (c Codec[T]) checkExplanation(t testing.TB, b []byte, err error) {
	t.Helper()
	e := c.Explain(b)
	if diff := Diff(text(err), text(e.Err)); diff != "" {
		t.Fatalf("%x: Parse and Explain disagree (-parse +explain):\n%s", b, diff)
	}
	at := 0
	for _, f := range e.Fields {
		if f.Offset != at || f.Length < 0 || f.Length > len(b)-at {
			t.Fatalf("%x: field %q covers %d+%d, want it to start at %d", b, f.Name, f.Offset, f.Length, at)
		}
		at += f.Length
	}
	if at != len(b) {
		t.Fatalf("explanation covers %d bytes of %d", at, len(b))
	}
}

// text returns the text of err, which names field, offset and kind.
func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
