package codectest

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/lobbywire/lobbywire"
)

// Frames is the framing of a stream, to be tested by its methods.
type Frames struct {
	Append func(b, payload []byte) ([]byte, error)
	Framer func() Framer

	Buffer int    // size of the buffer that a bufio.Scanner needs
	Blank  string // bytes that may follow the last frame
	Rest   string // bytes of an appended frame that Next returns as rest
}

// A Framer splits a stream that arrives in parts into frames.
type Framer interface {
	Next(b []byte) (payload, rest []byte, err error)
	Split(data []byte, atEOF bool) (advance int, token []byte, err error)
}

// Check tests that the payloads of a stream do not depend on how the stream is divided,
// and that each payload can be appended and read again. The stream arrives in parts of
// the given sizes, in turn.
func (f Frames) Check(t testing.TB, stream, sizes []byte) {
	t.Helper()
	want, wantErr := f.Cut(stream)
	for _, split := range []bufio.SplitFunc{f.split, f.Framer().Split} {
		got, err := f.scan(&parts{b: stream, sizes: sizes}, split)
		if diff := Diff(want, got); diff != "" {
			t.Fatalf("%q: payloads (-whole +parts):\n%s", stream, diff)
		}
		sameText := errors.Is(wantErr, lobbywire.ErrTruncated) || text(wantErr) == text(err)
		if (wantErr == nil) != (err == nil) || !sameText {
			t.Fatalf("%q: whole: %v, in parts: %v", stream, wantErr, err)
		}
		if err != nil {
			CheckError(t, err, len(stream))
		}
	}
	got, err := f.cutParts(&parts{b: stream, sizes: sizes})
	if diff := Diff(want, got); diff != "" {
		t.Fatalf("%q: payloads (-whole +Framer):\n%s", stream, diff)
	}
	if !errors.Is(wantErr, lobbywire.ErrTruncated) && text(wantErr) != text(err) {
		t.Fatalf("%q: whole: %v, Framer: %v", stream, wantErr, err)
	}
	for _, payload := range want {
		frame, err := f.Append(nil, payload)
		if err != nil {
			t.Fatal(err)
		}
		again, rest, err := f.Framer().Next(frame)
		if err != nil || string(rest) != f.Rest || !bytes.Equal(again, payload) {
			t.Fatalf("%q is framed as %q, cut as %q, %q, %v", payload, frame, again, rest, err)
		}
	}
}

// split is the Split of a new Framer in each call.
func (f Frames) split(data []byte, atEOF bool) (advance int, token []byte, err error) {
	return f.Framer().Split(data, atEOF)
}

// Cut cuts a stream that is in memory.
func (f Frames) Cut(stream []byte) (payloads [][]byte, err error) {
	for {
		payload, rest, err := f.Framer().Next(stream)
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

// cutParts cuts a stream that a reader returns, with a Framer.
func (f Frames) cutParts(stream io.Reader) (payloads [][]byte, err error) {
	framer := f.Framer()
	part := make([]byte, 256)
	for b := []byte(nil); ; {
		n, err := stream.Read(part)
		if err == io.EOF {
			return payloads, nil
		}
		for b = append(b, part[:n]...); ; {
			payload, rest, err := framer.Next(b)
			b = rest
			if err == lobbywire.ErrTruncated {
				break
			}
			if err != nil {
				return payloads, err
			}
			payloads = append(payloads, bytes.Clone(payload))
		}
	}
}

// needed is the number of bytes before a part that a Framer may read again: they may be
// an incomplete rune.
const needed = 3

// ReadsOnce tests that a Framer reads each byte of an incomplete frame only once, so that
// its work does not depend on how the stream is divided. The parts have size bytes, and
// ReadsOnce overwrites the bytes of earlier parts. A Framer may read the first bytes of a
// frame again until that many have arrived.
func (f Frames) ReadsOnce(t testing.TB, stream []byte, size, first int) {
	t.Helper()
	want, err := f.Cut(stream)
	if err != nil {
		t.Fatal(err)
	}
	framer := f.Framer()
	var b []byte
	overwritten := 0 // bytes of b
	for n := 0; n < len(stream); n += size {
		for b = append(b, stream[n:min(n+size, len(stream))]...); ; {
			payload, rest, err := framer.Next(b)
			if len(rest) < len(b) {
				b, overwritten = rest, 0
			}
			if err == lobbywire.ErrTruncated {
				break
			}
			if err != nil || len(want) == 0 || len(payload) != len(want[0]) {
				t.Fatalf("in parts of %d bytes, %d bytes are cut off, %v, with %d payloads to come", size, len(payload),
					err, len(want))
			}
			want = want[1:]
		}
		for len(b) > first && overwritten < len(b)-needed {
			b[overwritten] = '\n'
			overwritten++
		}
	}
	if len(want) > 0 {
		t.Errorf("in parts of %d bytes, %d payloads are missing", size, len(want))
	}
}

// Scan cuts a stream that a reader returns.
func (f Frames) Scan(stream io.Reader) (payloads [][]byte, err error) {
	return f.scan(stream, f.split)
}

func (f Frames) scan(stream io.Reader, split bufio.SplitFunc) (payloads [][]byte, err error) {
	sc := bufio.NewScanner(stream)
	sc.Buffer(nil, f.Buffer)
	sc.Split(split)
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
