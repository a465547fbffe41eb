package wzproposal_test

import (
	"bufio"
	"bytes"
	"errors"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/golden"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

//wire:test
func FuzzGameList(f *testing.F) { gameListCodec.fuzz(f, manyGames(3)) }

//wire:test
func FuzzResponse(f *testing.F) { responseCodec.fuzz(f, wzproposal.Response(manyGames(3))) }

// FuzzFrame also holds that a frame has one binary form.
//
//wire:test
func FuzzFrame(f *testing.F) {
	c := frameCodec
	c.binary.Canonical = true
	c.Fuzz(f)
}

func FuzzStrict(f *testing.F) {
	addGolden(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, e := range encodings {
			checkStrict(t, e, b)
		}
	})
}

// FuzzTranscript wants what is truncated or valid to have been truncated or
// valid one byte before, as the laws want it by default.
func FuzzTranscript(f *testing.F) {
	addGolden(f)
	f.Add([]byte("< COUNT 1\n< // ip  port\n\n< 192.0.2.17  2100   Banana Game :-)  Sk-Rush    4  open  \n"))
	f.Add([]byte("> CLOSEGAME   9999  Player One \r\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		checkPrefix(t, b, transcript.ParseRequest)
		checkPrefix(t, b, transcript.ParseResponse)
		checkPrefix(t, b, transcript.ParseGame)
	})
}

func checkPrefix[T any](t *testing.T, b []byte, parse func([]byte) (T, error)) {
	_, err := parse(b)
	var e *lobbywire.Error
	if err != nil && (!errors.As(err, &e) || e.Offset < 0 || e.Offset > len(b)) {
		t.Fatalf("%q: error %v", b, err)
	}
	if len(b) == 0 || err != nil && e.Err != lobbywire.ErrTruncated {
		return
	}
	if _, err := parse(b[:len(b)-1]); err != nil && !errors.Is(err, lobbywire.ErrTruncated) {
		t.Fatalf("%q can be or become valid, but without its last byte: %v", b, err)
	}
}

// FuzzFrames wants the same lines or frames from a Scanner that is fed byte by
// byte and from Next, and both to lose nothing.
func FuzzFrames(f *testing.F) {
	addGolden(f)
	f.Add(append(bytes.Repeat([]byte("a"), wzproposal.MaxLine), '\n'))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, e := range encodings {
			checkFrames(t, wzproposal.Options{Encoding: e}, b)
		}
	})
}

func checkFrames(t *testing.T, o wzproposal.Options, b []byte) {
	t.Helper()
	sc := bufio.NewScanner(iotest.OneByteReader(bytes.NewReader(b)))
	sc.Split((&wzproposal.Framer{Options: o}).Split)
	rest := b
	for sc.Scan() {
		var frame []byte
		var err error
		frame, rest, err = (&wzproposal.Framer{Options: o}).Next(rest)
		if err != nil || !bytes.Equal(frame, sc.Bytes()) {
			t.Fatalf("Next %q, %v; Split %q", frame, err, sc.Bytes())
		}
	}
	if frame, _, err := (&wzproposal.Framer{Options: o}).Next(rest); err == nil {
		t.Fatalf("Split stopped before %q", frame)
	}
	if (sc.Err() == nil) != (len(rest) == 0) {
		t.Fatalf("%d bytes left, Split: %v", len(rest), sc.Err())
	}
}

// FuzzNext wants the same messages and errors however the bytes of a stream
// are cut into parts.
func FuzzNext(f *testing.F) {
	for _, g := range golden.Load(f) {
		f.Add(g.Data, []byte{1}, uint8(0))
		f.Add(append(bytes.Clone(g.Data), g.Data...), []byte{3, 20}, uint8(3))
		f.Add(g.Data, []byte{1}, uint8(4))
		f.Add(append(bytes.Clone(g.Data), g.Data...), []byte{3, 20}, uint8(5))
	}
	f.Add([]byte("> LIST *\n< COUNT 1\n< // none\n\n< ::1  1  a  b  2  open \n"), []byte{1}, uint8(2))
	f.Fuzz(func(t *testing.T, b, cuts []byte, mode uint8) {
		if len(b) > 1<<14 {
			return
		}
		o := wzproposal.Options{Strict: mode&1 != 0, Transcript: mode&2 != 0}
		if mode&4 != 0 {
			o.Encoding = wzproposal.Binary
		}
		checkChunks(t, b, cuts, nextRequest(o))
		checkChunks(t, b, cuts, nextResponse(o))
	})
}

func checkChunks[T any](t *testing.T, b, cuts []byte, next func([]byte) (T, []byte, error)) {
	t.Helper()
	i := 0
	cut := func() int {
		i++
		if len(cuts) == 0 {
			return 1
		}
		return int(cuts[i%len(cuts)])
	}
	want, wantLeft, wantLost := steps(b, whole, next)
	got, left, lost := steps(b, cut, next)
	if diff := cmp.Diff(want, got, compare); diff != "" || left != wantLeft || lost != wantLost {
		t.Fatalf("left %q, want %q; lost %v, want %v (-whole +parts):\n%s", left, wantLeft, lost, wantLost, diff)
	}
}
