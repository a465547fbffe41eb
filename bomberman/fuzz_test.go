package bomberman_test

import (
	"reflect"
	"testing"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/internal/test/golden"
)

// addPayloads adds what is in the frames of golden files to the seeds.
func addPayloads(f *testing.F) {
	for _, g := range golden.Load(f) {
		if payload, _, err := bomberman.NextFrame(g.Data, bomberman.MaxPayload); err == nil {
			f.Add(payload)
		}
	}
}

func FuzzFrame(f *testing.F) {
	addPayloads(f)
	anyFrames.Fuzz(f)
}

// FuzzMessage also checks that PeekMessage finds the type, and that messages
// accepted by Strict can be appended, of the same type.
//
//wire:test
func FuzzMessage(f *testing.F) {
	addPayloads(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		messageCodec.Check(t, b)
		m, err := bomberman.ParseMessage(b)
		if err != nil {
			return
		}
		want, err := bomberman.PeekMessage(b)
		if _, isUnknown := m.(bomberman.Unknown); err != nil || !isUnknown &&
			reflect.TypeOf(want) != reflect.TypeOf(m) {
			t.Fatalf("PeekMessage: %#v, %v, but ParseMessage gives %#v", want, err, m)
		}
		if _, err := (bomberman.Options{Strict: true}).ParseMessage(b); err != nil || len(b) >= bomberman.MaxPayload {
			return
		}
		encoded, err := m.AppendBinary(nil)
		if err != nil {
			t.Fatalf("accepted by Strict, but not appended: %v", err)
		}
		if got, err := bomberman.PeekMessage(encoded); !reflect.DeepEqual(got, want) || err != nil {
			t.Fatalf("%#v is appended as %#v, %v", want, got, err)
		}
	})
}

// framing returns the framing of a stream. Strict accepts no white space at its
// end.
func framing(o bomberman.Options) codectest.Frames {
	f := codectest.Frames{
		Append: bomberman.AppendFrame,
		Framer: func() codectest.Framer { return &bomberman.Framer{Options: o} },
		Buffer: bomberman.MaxFrame, Blank: " \t\r\n",
	}
	if o.Strict {
		f.Blank = ""
	}
	return f
}

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
		framing(bomberman.Options{Strict: strict, MaxPayload: 4096}).Check(t, stream, sizes)
	})
}
