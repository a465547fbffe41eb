package bomberman_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/golden"
	"github.com/lobbywire/lobbywire/internal/laws"
)

// fuzz fuzzes the codec of a message. Golden files hold frames, so what is in
// them is added to the seeds.
func fuzz[T laws.Message](f *testing.F, c laws.Codec[T]) {
	for _, g := range golden.Load(f) {
		if payload, _, err := bomberman.NextFrame(g.Data, bomberman.MaxPayload); err == nil {
			f.Add(payload)
		}
	}
	laws.Fuzz(f, c)
}

func FuzzFrame(f *testing.F) { fuzz(f, anyFrames) }

// FuzzMessage also checks that PeekCommand finds the command, and that messages
// accepted by Strict can be appended, with the same command.
func FuzzMessage(f *testing.F) {
	for _, g := range golden.Load(f) {
		if payload, _, err := bomberman.NextFrame(g.Data, bomberman.MaxPayload); err == nil {
			f.Add(payload)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		messageCodec.Check(t, b)
		m, err := bomberman.ParseMessage(b)
		if err != nil {
			return
		}
		command, err := bomberman.PeekCommand(b)
		if err != nil {
			t.Fatalf("PeekCommand: %v, but ParseMessage gives %#v", err, m)
		}
		if _, err := (bomberman.Options{Strict: true}).ParseMessage(b); err != nil || len(b) >= bomberman.MaxPayload {
			return
		}
		encoded, err := m.MarshalBinary()
		if err != nil {
			t.Fatalf("accepted by Strict, but not appended: %v", err)
		}
		if got, err := bomberman.PeekCommand(encoded); got != command || err != nil {
			t.Fatalf("command %q is appended as %q, %v", command, got, err)
		}
	})
}

// cutAll cuts a stream that is whole in memory.
func cutAll(stream []byte, o bomberman.Options) (payloads [][]byte, err error) {
	for {
		payload, rest, err := o.NextFrame(stream)
		if err != nil {
			if errors.Is(err, lobbywire.ErrTruncated) && len(bytes.Trim(stream, " \t\r\n")) == 0 && !o.Strict || len(stream) == 0 {
				err = nil
			}
			return payloads, err
		}
		payloads = append(payloads, payload)
		stream = rest
	}
}

// scanAll cuts a stream that comes from a reader.
func scanAll(stream io.Reader, o bomberman.Options) (payloads [][]byte, err error) {
	sc := bufio.NewScanner(stream)
	sc.Buffer(nil, bomberman.MaxFrame)
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

// FuzzFrames holds that a stream gives the same frames however it is cut into
// pieces, and that frames come back when they are appended.
func FuzzFrames(f *testing.F) {
	var all []byte
	for _, g := range golden.Load(f) {
		f.Add(g.Data, []byte{1}, false)
		if len(g.Data) < 200 {
			all = append(all, g.Data...)
		}
	}
	f.Add(all, []byte{1, 7, 200, 3}, false)
	f.Add(all, []byte{13}, true)
	f.Fuzz(func(t *testing.T, stream, sizes []byte, strict bool) {
		o := bomberman.Options{Strict: strict, MaxPayload: 4096}
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
		var e *lobbywire.Error
		if gotErr != nil && !errors.As(gotErr, &e) {
			t.Fatalf("error is %T", gotErr)
		}
		for _, payload := range want {
			frame, err := bomberman.AppendFrame(nil, payload)
			if err != nil {
				t.Fatal(err)
			}
			again, rest, err := bomberman.Options{Strict: true}.NextFrame(frame)
			if err != nil || len(rest) > 0 || !bytes.Equal(again, payload) {
				t.Fatalf("%q is framed as %q, cut as %q, %q, %v", payload, frame, again, rest, err)
			}
		}
	})
}
