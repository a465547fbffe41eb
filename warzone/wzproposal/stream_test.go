package wzproposal_test

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// A step is what one call of NextRequest or NextResponse yields.
type step[T any] struct {
	Message T
	Error   string
}

// nextRequest returns a function that cuts a request off b, without a memory of the calls
// before.
func nextRequest(o wzproposal.Options) func(b []byte) (m wzproposal.Request, rest []byte, err error) {
	return func(b []byte) (wzproposal.Request, []byte, error) {
		f := wzproposal.Framer{Options: o}
		return f.NextRequest(b)
	}
}

// nextResponse is as nextRequest.
func nextResponse(o wzproposal.Options) func(b []byte) (m wzproposal.Response, rest []byte, err error) {
	return func(b []byte) (wzproposal.Response, []byte, error) {
		f := wzproposal.Framer{Options: o}
		return f.NextResponse(b)
	}
}

// steps gives b to next in parts and returns what comes until the stream is
// lost or b is used up, what is left then, and whether it was lost. cut returns
// how many bytes come next.
func steps[T any](b []byte, cut func() int, next func([]byte) (T, []byte, error)) (got []step[T], left string,
	lost bool) {
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

// A conversation is what a stream holds, in both encodings.
type conversation[T any] struct {
	encoding wzproposal.Encoding
	in       string
	want     []step[T]
	left     string
}

func (c conversation[T]) check(t *testing.T, next func(o wzproposal.Options) func(b []byte) (T, []byte, error)) {
	t.Helper()
	for size := 1; size <= len(c.in); size++ {
		got, left, lost := steps([]byte(c.in), func() int { return size },
			next(wzproposal.Options{Encoding: c.encoding}))
		if diff := cmp.Diff(c.want, got, compare); diff != "" || left != c.left || lost {
			t.Errorf("%s in parts of %d: %q left, lost %v (-want +got):\n%s", c.encoding, size, left, lost, diff)
		}
	}
}

func TestNextRequestReadsConversations(t *testing.T) {
	for _, c := range []conversation[wzproposal.Request]{
		{wzproposal.Text, "LIST *\r\nOPENGAME 9999\tThe Game!!\tSk-Rush\t4\nSTARTGAME\t0\n\nPING\nLIST",
			[]step[wzproposal.Request]{
				{Message: wzproposal.List{Filter: "*"}},
				{Message: theGame()},
				{Error: "wzproposal: port at byte 10: invalid value: is not from 1 to 65535"},
				{Error: "wzproposal: command at byte 0: invalid value: is not a word"},
				{Message: wzproposal.Unknown{Command: "PING"}},
			}, "LIST"},
		{wzproposal.Binary, "\x01\x00" + openGameFrame + "\x03\x02\x010" + "\x03\x02\x05x" + "\xc8\x00" +
			"\x01\x02\x01", []step[wzproposal.Request]{
			{Message: wzproposal.List{Filter: "*"}},
			{Message: theGame()},
			{Error: "wzproposal: port at byte 2: invalid value: is not from 1 to 65535"},
			{Error: "wzproposal: port at byte 2: invalid value: missing, or longer than its frame"},
			{Message: wzproposal.Unknown{Command: "200"}},
		}, "\x01\x02\x01"},
	} {
		c.check(t, nextRequest)
	}
}

func TestNextResponseReadsConversations(t *testing.T) {
	row := func(name string) string { return line("::1", "1", name, "b", "2", "open") }
	named := func(name string) wzproposal.Game {
		return wzproposal.Game{
			IP: netip.IPv6Loopback(), Port: 1, Name: name, Map: "b", MaxPlayers: 2, Status: wzproposal.StatusOpen,
		}
	}
	cut := "\x05\x02\x012" + bananaFrame
	for _, c := range []conversation[wzproposal.Response]{
		{wzproposal.Text, "DONE\nCOUNT 1\n" + bananaRow +
			"COUNT\t3\n" + row("a") + "bad\n" + row("c") + "COUNT\t0\nERROR\tfull\nWAIT\nCOUNT\t2\n" +
			row("d"), []step[wzproposal.Response]{
			{Message: wzproposal.Done{}},
			{Message: wzproposal.GameList{Games: []wzproposal.Game{bananaGame()}}},
			{Message: wzproposal.GameList{Games: []wzproposal.Game{named("a"), named("c")}, Skipped: 1}},
			{Message: wzproposal.GameList{Games: []wzproposal.Game{}}},
			{Message: wzproposal.Error{Text: "full"}},
			{Message: wzproposal.Unknown{Command: "WAIT"}},
		}, "COUNT\t2\n" + row("d")},
		{wzproposal.Binary, "\x07\x00" + "\x05\x02\x011" + bananaFrame +
			"\x05\x02\x013" + bananaFrame + game("bad") + bananaFrame +
			"\x05\x02\x010" + "\x08\x05\x04full" + "\xc8\x00" + cut, []step[wzproposal.Response]{
			{Message: wzproposal.Done{}},
			{Message: wzproposal.GameList{Games: []wzproposal.Game{bananaGame()}}},
			{Message: wzproposal.GameList{Games: []wzproposal.Game{bananaGame(), bananaGame()}, Skipped: 1}},
			{Message: wzproposal.GameList{Games: []wzproposal.Game{}}},
			{Message: wzproposal.Error{Text: "full"}},
			{Message: wzproposal.Unknown{Command: "200"}},
		}, cut},
	} {
		c.check(t, nextResponse)
	}
}

// A stream is lost where the start of the next message is unknown.
func TestStreamIsLostAtAnUnknownStart(t *testing.T) {
	long := strings.Repeat("a", wzproposal.MaxLine)
	binary := wzproposal.Options{Encoding: wzproposal.Binary}
	for _, tt := range []struct {
		name, in string
		err      error
	}{
		{"no number", "\x05\x02\x01x\x07\x00", lobbywire.ErrInvalid},
		{"too many games", "\x05\x05\x041024\x07\x00", lobbywire.ErrTooLarge},
		{"two numbers", "\x05\x04\x011\x011\x07\x00", lobbywire.ErrTrailing},
	} {
		m, rest, err := nextResponse(binary)([]byte(tt.in))
		if m != nil || len(rest) != len(tt.in) || !errors.Is(err, tt.err) {
			t.Errorf("%s, binary: %v, %d bytes left of %d, %v", tt.name, m, len(rest), len(tt.in), err)
		}
	}
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
		m, rest, err := nextResponse(wzproposal.Options{})([]byte(tt.in))
		if m != nil || len(rest) != len(tt.in) || !errors.Is(err, tt.err) {
			t.Errorf("%s: %v, %d bytes left of %d, %v", tt.name, m, len(rest), len(tt.in), err)
		}
		o := wzproposal.Options{Transcript: true}
		in := "// comment\n" + tt.in
		_, rest, err = nextResponse(o)([]byte(in))
		if len(rest) != len(in) || !errors.Is(err, tt.err) {
			t.Errorf("%s behind a comment: %d bytes left of %d, %v", tt.name, len(rest), len(in), err)
		}
	}
	if _, rest, err := nextRequest(wzproposal.Options{})([]byte(long)); len(rest) != len(long) ||
		!errors.Is(err, lobbywire.ErrTooLarge) {
		t.Errorf("request too long: %d bytes left, %v", len(rest), err)
	}
}
