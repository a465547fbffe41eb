package wzbin_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/wzbin"
)

// A step is what one call of NextRequest or NextResponse yields.
type step[T any] struct {
	Message T
	Error   string
}

// steps gives b to next in parts and returns what comes until the stream is
// lost or b is used up, what is left then, and whether it was lost. cut returns
// how many bytes come next.
func steps[T any](b []byte, cut func() int, next func([]byte) (T, []byte, error)) (got []step[T], left string, lost bool) {
	var buf []byte
	for {
		m, rest, err := next(buf)
		switch {
		case err == lobbywire.ErrTruncated && len(b) == 0:
			return got, string(rest), false
		case err == lobbywire.ErrTruncated:
			n := min(max(cut(), 1), len(b))
			buf = append(append([]byte(nil), rest...), b[:n]...)
			b = b[n:]
			continue
		case err != nil:
			got = append(got, step[T]{Error: err.Error()})
			if len(rest) == len(buf) {
				return got, "", true
			}
		default:
			got = append(got, step[T]{Message: m})
		}
		buf = rest
	}
}

func TestNextRequest(t *testing.T) {
	in := "\x01\x00" + openGameFrame + "\x03\x02\x010" + "\x03\x02\x05x" + "\xc8\x00" + "\x01\x02\x01"
	want := []step[wzbin.Request]{
		{Message: wzbin.List{Filter: "*"}},
		{Message: theGame()},
		{Error: "wzbin: port at byte 2: invalid value"},
		{Error: "wzbin: port at byte 2: invalid value"},
		{Message: wzbin.Unknown{Command: 200}},
	}
	for size := 1; size <= len(in); size++ {
		got, left, lost := steps([]byte(in), func() int { return size }, wzbin.NextRequest)
		if diff := cmp.Diff(want, got); diff != "" || left != "\x01\x02\x01" || lost {
			t.Errorf("in parts of %d: %q left, lost %v (-want +got):\n%s", size, left, lost, diff)
		}
	}
}

func TestNextResponse(t *testing.T) {
	cut := "\x05\x02\x012" + bananaFrame
	in := "\x07\x00" + "\x05\x02\x011" + bananaFrame +
		"\x05\x02\x013" + bananaFrame + game("bad") + bananaFrame +
		"\x05\x02\x010" + "\x08\x05\x04full" + "\xc8\x00" + cut
	want := []step[wzbin.Response]{
		{Message: wzbin.Done{}},
		{Message: wzbin.GameList{Games: []wzbin.Game{bananaGame()}}},
		{Error: "wzbin: games[1].ip at byte 55: invalid value"},
		{Message: wzbin.GameList{Games: []wzbin.Game{}}},
		{Message: wzbin.Error{Text: "full"}},
		{Message: wzbin.Unknown{Command: 200}},
	}
	for size := 1; size <= len(in); size++ {
		got, left, lost := steps([]byte(in), func() int { return size }, wzbin.NextResponse)
		if diff := cmp.Diff(want, got, compare); diff != "" || left != cut || lost {
			t.Errorf("in parts of %d: %q left, lost %v (-want +got):\n%s", size, left, lost, diff)
		}
	}
}

// A stream is lost where nothing tells how it goes on.
func TestNextLost(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		err      error
	}{
		{"no number", "\x05\x02\x01x\x07\x00", lobbywire.ErrInvalid},
		{"too many games", "\x05\x05\x041024\x07\x00", lobbywire.ErrTooLarge},
		{"two numbers", "\x05\x04\x011\x011\x07\x00", lobbywire.ErrTrailing},
	} {
		m, rest, err := wzbin.NextResponse([]byte(tt.in))
		if m != nil || len(rest) != len(tt.in) || !errors.Is(err, tt.err) {
			t.Errorf("%s: %v, %d bytes left of %d, %v", tt.name, m, len(rest), len(tt.in), err)
		}
	}
}
