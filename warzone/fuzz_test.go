package warzone_test

import (
	"testing"

	"github.com/lobbywire/lobbywire/internal/golden"
	"github.com/lobbywire/lobbywire/internal/laws"
	"github.com/lobbywire/lobbywire/warzone"
)

// FuzzListReplyEnd wants replies to be valid where they are said to end.
func FuzzListReplyEnd(f *testing.F) {
	for _, g := range golden.Load(f) {
		f.Add(g.Data)
	}
	f.Fuzz(func(t *testing.T, b []byte) { checkEnd(t, b) })
}

// FuzzLayout reads games as if they were of a layout that they may not be of.
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
		encoded := laws.Append(t, m)
		if encoded == nil {
			return
		}
		if again, err := o.ParseGame(encoded); err != nil || again != m {
			t.Fatalf("%v: %+v, appended and parsed %+v, %v", o.Layout, m, again, err)
		}
	})
}

// FuzzStrict wants what is strictly valid to be appended in the same bytes.
func FuzzStrict(f *testing.F) {
	for _, g := range golden.Load(f) {
		f.Add(g.Data)
	}
	f.Fuzz(func(t *testing.T, b []byte) { checkStrict(t, b) })
}

// FuzzHostStream wants the same requests however the stream is cut.
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

// FuzzLobbyStream wants the same responses however the stream is cut.
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

// maxFuzzed is how long streams may get: all of their bytes are copied often.
const maxFuzzed = 1 << 12

// cycle returns one of sizes after the other, again and again.
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
