package wztext_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/wztext"
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

// whole is the cut that takes all at once.
func whole() int { return 1 << 30 }

func TestNextRequest(t *testing.T) {
	in := "LIST *\r\nOPENGAME 9999\tThe Game!!\tSk-Rush\t4\nSTARTGAME\t0\n\nPING\nLIST"
	want := []step[wztext.Request]{
		{Message: wztext.List{Filter: "*"}},
		{Message: theGame()},
		{Error: "wztext: port at byte 10: invalid value"},
		{Error: "wztext: command at byte 0: invalid value"},
		{Message: wztext.Unknown{Command: "PING"}},
	}
	for size := 1; size <= len(in); size++ {
		got, left, lost := steps([]byte(in), func() int { return size }, wztext.NextRequest)
		if diff := cmp.Diff(want, got); diff != "" || left != "LIST" || lost {
			t.Errorf("in parts of %d: %q left, lost %v (-want +got):\n%s", size, left, lost, diff)
		}
	}
}

func TestNextResponse(t *testing.T) {
	row := func(name string) string { return "::1\t1\t" + name + "\tb\t2\topen\n" }
	game := with(func(m *wztext.Game) { m.Name = "good" })
	in := "DONE\nCOUNT 1\n192.0.2.17\t2100\tgood\tSk-Rush\t4\topen\n" +
		"COUNT\t3\n" + row("a") + "bad\n" + row("c") + "COUNT\t0\nERROR\tfull\nWAIT\nCOUNT\t2\n" + row("d")
	want := []step[wztext.Response]{
		{Message: wztext.Done{}},
		{Message: wztext.GameList{Games: []wztext.Game{game}}},
		{Error: "wztext: games[1].ip at byte 25: invalid value"},
		{Message: wztext.GameList{Games: []wztext.Game{}}},
		{Message: wztext.Error{Text: "full"}},
		{Message: wztext.Unknown{Command: "WAIT"}},
	}
	for size := 1; size <= len(in); size++ {
		got, left, lost := steps([]byte(in), func() int { return size }, wztext.NextResponse)
		if diff := cmp.Diff(want, got, compare); diff != "" || left != "COUNT\t2\n"+row("d") || lost {
			t.Errorf("in parts of %d: %q left, lost %v (-want +got):\n%s", size, left, lost, diff)
		}
	}
}

// A stream is lost where nothing tells how it goes on.
func TestNextLost(t *testing.T) {
	long := strings.Repeat("a", wztext.MaxLine)
	for _, tt := range []struct {
		name, in string
		err      error
	}{
		{"line too long", long, lobbywire.ErrTooLarge},
		{"row too long", "COUNT\t2\n" + long, lobbywire.ErrTooLarge},
		{"no number", "COUNT\tx\nDONE\n", lobbywire.ErrInvalid},
		{"too many games", "COUNT\t1024\nDONE\n", lobbywire.ErrTooLarge},
		{"two numbers", "COUNT\t1\t1\nDONE\n", lobbywire.ErrTrailing},
	} {
		m, rest, err := wztext.NextResponse([]byte(tt.in))
		if m != nil || len(rest) != len(tt.in) || !errors.Is(err, tt.err) {
			t.Errorf("%s: %v, %d bytes left of %d, %v", tt.name, m, len(rest), len(tt.in), err)
		}
		o := wztext.Options{Transcript: true}
		in := "// comment\n" + tt.in
		if _, rest, err = o.NextResponse([]byte(in)); len(rest) != len(in) || !errors.Is(err, tt.err) {
			t.Errorf("%s behind a comment: %d bytes left of %d, %v", tt.name, len(rest), len(in), err)
		}
	}
	if _, rest, err := wztext.NextRequest([]byte(long)); len(rest) != len(long) || !errors.Is(err, lobbywire.ErrTooLarge) {
		t.Errorf("request too long: %d bytes left, %v", len(rest), err)
	}
}
