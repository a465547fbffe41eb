package wzbin_test

import (
	"bufio"
	"bytes"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/internal/golden"
	"github.com/lobbywire/lobbywire/internal/laws"
	"github.com/lobbywire/lobbywire/warzone/wzbin"
)

func FuzzList(f *testing.F)      { laws.Fuzz(f, lists) }
func FuzzOpenGame(f *testing.F)  { laws.Fuzz(f, openGames) }
func FuzzStartGame(f *testing.F) { laws.Fuzz(f, startGames) }
func FuzzCloseGame(f *testing.F) { laws.Fuzz(f, closeGames) }
func FuzzRequest(f *testing.F)   { laws.Fuzz(f, requests) }
func FuzzCount(f *testing.F)     { laws.Fuzz(f, counts) }
func FuzzGame(f *testing.F)      { laws.Fuzz(f, games) }
func FuzzGameList(f *testing.F)  { laws.Fuzz(f, gameLists, manyGames(3)) }
func FuzzDone(f *testing.F)      { laws.Fuzz(f, dones) }
func FuzzError(f *testing.F)     { laws.Fuzz(f, failures) }
func FuzzResponse(f *testing.F)  { laws.Fuzz(f, responses, wzbin.Response(manyGames(3))) }
func FuzzFrame(f *testing.F)     { laws.Fuzz(f, frames) }

func FuzzStrict(f *testing.F) {
	for _, g := range golden.Load(f) {
		f.Add(g.Data)
	}
	f.Fuzz(func(t *testing.T, b []byte) { checkStrict(t, b) })
}

// FuzzFrames wants the same frames from a Scanner that is fed byte by byte and
// from NextFrame, and both to lose nothing.
func FuzzFrames(f *testing.F) {
	for _, g := range golden.Load(f) {
		f.Add(g.Data)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		sc := bufio.NewScanner(iotest.OneByteReader(bytes.NewReader(b)))
		sc.Split(wzbin.SplitFrames)
		rest := b
		for sc.Scan() {
			var frame []byte
			var err error
			if frame, rest, err = wzbin.NextFrame(rest); err != nil || !bytes.Equal(frame, sc.Bytes()) {
				t.Fatalf("NextFrame %x, %v; SplitFrames %x", frame, err, sc.Bytes())
			}
		}
		if frame, _, err := wzbin.NextFrame(rest); err == nil {
			t.Fatalf("SplitFrames stopped before %x", frame)
		}
		if (sc.Err() == nil) != (len(rest) == 0) {
			t.Fatalf("%d bytes left, SplitFrames: %v", len(rest), sc.Err())
		}
	})
}

// FuzzNext wants the same messages and errors however the bytes of a stream
// are cut into parts.
func FuzzNext(f *testing.F) {
	for _, g := range golden.Load(f) {
		f.Add(g.Data, []byte{1}, false)
		f.Add(append(bytes.Clone(g.Data), g.Data...), []byte{3, 20}, true)
	}
	f.Fuzz(func(t *testing.T, b, cuts []byte, isStrict bool) {
		if len(b) > 1<<14 {
			return
		}
		o := wzbin.Options{Strict: isStrict}
		checkChunks(t, b, cuts, o.NextRequest)
		checkChunks(t, b, cuts, o.NextResponse)
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
	want, wantLeft, wantLost := steps(b, func() int { return len(b) }, next)
	got, left, lost := steps(b, cut, next)
	if diff := cmp.Diff(want, got, compare); diff != "" || left != wantLeft || lost != wantLost {
		t.Fatalf("left %x, want %x; lost %v, want %v (-whole +parts):\n%s", left, wantLeft, lost, wantLost, diff)
	}
}
