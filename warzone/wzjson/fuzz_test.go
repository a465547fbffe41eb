package wzjson_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/golden"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

// FuzzMessage also checks that accepted messages can be appended and cut off, and
// that PeekCommand finds the same command in both.
func FuzzMessage(f *testing.F) {
	for _, g := range golden.Load(f) {
		f.Add(g.Data)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		messageCodec.Check(t, b)
		m, err := wzjson.ParseMessage(b)
		if err != nil {
			return
		}
		frame, err := wzjson.AppendMessage(nil, m)
		if err != nil {
			t.Fatalf("accepted, but not appended: %v", err)
		}
		payload, rest, err := wzjson.NextFrame(frame, wzjson.MaxFrame)
		if err != nil || string(rest) != "\n" {
			t.Fatalf("appended as %q, cut off as %q, %q, %v", frame, payload, rest, err)
		}
		want, err := wzjson.PeekCommand(b)
		if got, gotErr := wzjson.PeekCommand(payload); got != want || err != nil || gotErr != nil {
			t.Fatalf("command %q, %v is appended as %q, %v", want, err, got, gotErr)
		}
	})
}

// cutAll cuts a stream that is whole in memory.
func cutAll(stream []byte, o wzjson.Options) (payloads [][]byte, err error) {
	for {
		payload, rest, err := o.NextFrame(stream)
		if err != nil {
			if errors.Is(err, lobbywire.ErrTruncated) && len(bytes.Trim(stream, " \t\r\n")) == 0 {
				err = nil
			}
			return payloads, err
		}
		payloads = append(payloads, payload)
		stream = rest
	}
}

// scanAll cuts a stream that comes from a reader.
func scanAll(stream io.Reader, o wzjson.Options) (payloads [][]byte, err error) {
	sc := bufio.NewScanner(stream)
	sc.Buffer(nil, wzjson.MaxFrame)
	sc.Split(o.SplitFrames)
	for sc.Scan() {
		payloads = append(payloads, bytes.Clone(sc.Bytes()))
	}
	return payloads, sc.Err()
}

// chunks reads b in pieces of the given sizes, again and again.
type chunks struct {
	b     []byte
	sizes []byte
	n     int
}

func (c *chunks) Read(p []byte) (n int, err error) {
	if len(c.b) == 0 {
		return 0, io.EOF
	}
	n = 1
	if len(c.sizes) > 0 {
		n = max(1, int(c.sizes[c.n%len(c.sizes)]))
	}
	c.n++
	n = copy(p, c.b[:min(n, len(c.b))])
	c.b = c.b[n:]
	return n, nil
}

// FuzzFrames holds that a stream gives the same messages however it is cut into
// pieces, and that messages come back when they are appended.
func FuzzFrames(f *testing.F) {
	var all []byte
	for _, g := range golden.Load(f) {
		f.Add(g.Data, []byte{1})
		all = append(append(all, g.Data...), '\n')
	}
	f.Add(all, []byte{1, 7, 200, 3})
	f.Fuzz(func(t *testing.T, stream, sizes []byte) {
		o := wzjson.Options{MaxFrame: 2048}
		want, wantErr := cutAll(stream, o)
		got, gotErr := scanAll(&chunks{b: stream, sizes: sizes}, o)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("frames (-whole +pieces):\n%s", diff)
		}
		if (wantErr == nil) != (gotErr == nil) {
			t.Fatalf("whole: %v, in pieces: %v", wantErr, gotErr)
		}
		if wantErr != nil && !errors.Is(wantErr, lobbywire.ErrTruncated) && wantErr.Error() != gotErr.Error() {
			t.Fatalf("whole: %v, in pieces: %v", wantErr, gotErr)
		}
		for _, payload := range want {
			frame, err := wzjson.AppendFrame(nil, payload)
			if err != nil {
				t.Fatal(err)
			}
			again, rest, err := wzjson.NextFrame(frame, wzjson.MaxFrame)
			if err != nil || string(rest) != "\n" || !bytes.Equal(again, payload) {
				t.Fatalf("%q is framed as %q, cut as %q, %q, %v", payload, frame, again, rest, err)
			}
		}
	})
}
