package wzjson_test

import (
	"reflect"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/internal/test/golden"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

// FuzzMessage also checks that accepted messages can be appended and cut off, and
// that PeekMessage finds the same type in both.
//
//wire:test
func FuzzMessage(f *testing.F) {
	for _, g := range golden.Load(f) {
		f.Add(g.Data)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		messageCodec.Check(t, b)
		m, err := wzjson.ParseMessage(b)
		list, isList := m.(wzjson.ListAck)
		if err != nil || isList && list.Skipped > 0 {
			return
		}
		frame, err := wzjson.AppendMessage(nil, m)
		if err != nil {
			t.Fatalf("accepted, but not appended: %v", err)
		}
		payload, rest, err := new(wzjson.Framer).Next(frame)
		if err != nil || string(rest) != "\n" {
			t.Fatalf("appended as %q, cut off as %q, %q, %v", frame, payload, rest, err)
		}
		want, err := wzjson.PeekMessage(b)
		if got, gotErr := wzjson.PeekMessage(payload); !reflect.DeepEqual(got, want) || err != nil || gotErr != nil {
			t.Fatalf("%#v, %v is appended as %#v, %v", want, err, got, gotErr)
		}
	})
}

// framing returns the framing of a stream.
func framing(o wzjson.Options) codectest.Frames {
	return codectest.Frames{
		Append: wzjson.AppendFrame,
		Framer: func() codectest.Framer { return &wzjson.Framer{Options: o} },
		Buffer: wzjson.MaxFrame, Blank: " \t\r\n", Rest: "\n",
	}
}

func FuzzFrames(f *testing.F) {
	var all []byte
	for _, g := range golden.Load(f) {
		f.Add(g.Data, []byte{1})
		all = append(append(all, g.Data...), '\n')
	}
	f.Add(all, []byte{1, 7, 200, 3})
	f.Fuzz(func(t *testing.T, stream, sizes []byte) {
		framing(wzjson.Options{MaxFrame: 2048}).Check(t, stream, sizes)
	})
}
