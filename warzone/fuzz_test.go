package warzone_test

import (
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/internal/test/golden"
	"github.com/lobbywire/lobbywire/warzone"
)

// FuzzListReplyEnd checks that replies are valid where ListReplyEnd ends them.
func FuzzListReplyEnd(f *testing.F) {
	for _, g := range golden.Load(f) {
		f.Add(g.Data)
	}
	f.Fuzz(func(t *testing.T, b []byte) { checkEnd(t, b) })
}

// FuzzLayout reads games in a layout that they may not have.
func FuzzLayout(f *testing.F) {
	for _, g := range golden.Load(f) {
		for l := range warzone.Layout23 + 2 {
			f.Add(g.Data, uint8(l))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, layout uint8) {
		o := warzone.Options{Layout: warzone.Layout(layout)}
		m, err := o.ParseGame(b)
		if err != nil {
			return
		}
		encoded := codectest.Append(t, m)
		if encoded == nil {
			return
		}
		if again, err := o.ParseGame(encoded); err != nil || again != m {
			t.Fatalf("%v: %+v, appended and parsed %+v, %v", o.Layout, m, again, err)
		}
	})
}

// FuzzStrict checks that strictly valid messages are appended as the same bytes.
func FuzzStrict(f *testing.F) {
	for _, g := range golden.Load(f) {
		f.Add(g.Data)
	}
	f.Fuzz(func(t *testing.T, b []byte) { checkStrict(t, b) })
}

// FuzzHostStream checks that the parts of a stream do not change its requests.
func FuzzHostStream(f *testing.F) {
	for _, g := range golden.Load(f) {
		f.Add(g.Data, []byte{1, 200}, false)
		f.Add(append([]byte("list"), g.Data...), []byte{4}, true)
	}
	f.Fuzz(func(t *testing.T, b, sizes []byte, strictly bool) {
		if len(b) <= maxFuzzed {
			hostStream(warzone.Options{Strict: strictly}).CheckParts(t, b, cycle(sizes))
		}
	})
}

// FuzzLobbyStream checks that the parts of a stream do not change its responses.
func FuzzLobbyStream(f *testing.F) {
	for _, g := range golden.Load(f) {
		f.Add(g.Data, []byte{1, 30}, false)
		f.Add(g.Data, []byte{9}, true)
	}
	f.Fuzz(func(t *testing.T, b, sizes []byte, hasGameID bool) {
		if len(b) <= maxFuzzed {
			lobbyStream(warzone.LobbyStream{HasGameID: hasGameID}).CheckParts(t, b, cycle(sizes))
		}
	})
}

// maxFuzzed limits streams: all of their bytes are copied often.
const maxFuzzed = 1 << 12

// cycle returns a function that repeats the sizes.
func cycle(sizes []byte) func() int {
	i := 0
	return func() int {
		if len(sizes) == 0 {
			return 1
		}
		i++
		return int(sizes[i%len(sizes)])
	}
}
