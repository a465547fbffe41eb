package laws

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
)

// Frames is the framing of a stream, ready to be judged.
type Frames struct {
	Next   func(b []byte) (payload, rest []byte, err error)
	Split  bufio.SplitFunc
	Append func(b, payload []byte) ([]byte, error)

	Buffer int    // size of the buffer that a bufio.Scanner needs
	Blank  string // bytes that may follow the last frame
	Rest   string // what remains of an appended frame once its payload is cut off
}

// Check judges that the stream has the same payloads however it is cut into
// parts, and that payloads can be appended and cut off again. The parts have the
// given sizes, in turn.
func (f Frames) Check(t testing.TB, stream, sizes []byte) {
	t.Helper()
	want, wantErr := f.Cut(stream)
	got, err := f.Scan(&parts{b: stream, sizes: sizes})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%q: payloads (-whole +parts):\n%s", stream, diff)
	}
	sameText := errors.Is(wantErr, lobbywire.ErrTruncated) || text(wantErr) == text(err)
	if (wantErr == nil) != (err == nil) || !sameText {
		t.Fatalf("%q: whole: %v, in parts: %v", stream, wantErr, err)
	}
	if err != nil {
		checkError(t, err, len(stream))
	}
	for _, payload := range want {
		frame, err := f.Append(nil, payload)
		if err != nil {
			t.Fatal(err)
		}
		again, rest, err := f.Next(frame)
		if err != nil || string(rest) != f.Rest || !bytes.Equal(again, payload) {
			t.Fatalf("%q is framed as %q, cut as %q, %q, %v", payload, frame, again, rest, err)
		}
	}
}

// Cut cuts a stream that is in memory.
func (f Frames) Cut(stream []byte) (payloads [][]byte, err error) {
	for {
		payload, rest, err := f.Next(stream)
		if err == lobbywire.ErrTruncated && len(bytes.Trim(stream, f.Blank)) == 0 {
			return payloads, nil
		}
		if err != nil {
			return payloads, err
		}
		payloads = append(payloads, payload)
		stream = rest
	}
}

// Scan cuts a stream that a reader returns.
func (f Frames) Scan(stream io.Reader) (payloads [][]byte, err error) {
	sc := bufio.NewScanner(stream)
	sc.Buffer(nil, f.Buffer)
	sc.Split(f.Split)
	for sc.Scan() {
		payloads = append(payloads, bytes.Clone(sc.Bytes()))
	}
	return payloads, sc.Err()
}

// parts returns b in parts of the given sizes, in turn.
type parts struct {
	b     []byte
	sizes []byte
	n     int
}

func (p *parts) Read(b []byte) (n int, err error) {
	if len(p.b) == 0 {
		return 0, io.EOF
	}
	size := 1
	if len(p.sizes) > 0 {
		size = max(1, int(p.sizes[p.n%len(p.sizes)]))
		p.n++
	}
	n = copy(b, p.b[:min(size, len(p.b))])
	p.b = p.b[n:]
	return n, nil
}
