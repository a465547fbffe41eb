package sb2_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/internal/test/golden"
)

// fuzzWith fuzzes a codec and its options.
func fuzzWith[M codectest.Message](f *testing.F, codec func(o sb2.Options) codectest.Codec[M]) {
	for _, g := range golden.Load(f) {
		f.Add(g.Data, g.Header["NoList"] == "yes", g.Header["Fields"])
	}
	f.Fuzz(func(t *testing.T, b []byte, noList bool, fields string) {
		o := sb2.Options{NoList: noList}
		for i := range min(len(fields), 20) {
			o.Keys = append(o.Keys, sb2.Key{Type: sb2.KeyType(fields[i] % 3), Name: fields[:i]})
		}
		codec(o).Check(t, b)
	})
}

//wire:test
func FuzzAnswer(f *testing.F) {
	for _, g := range golden.Load(f) {
		f.Add(g.Data, "", []byte{}, false)
		if g.Message() == "Answer" {
			s := sourceOf(f, g)
			f.Add(g.Data, s.secret, s.request.Challenge[:], s.request.Options != 0)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, secret string, challenge []byte, noList bool) {
		s := source{secret: secret}
		copy(s.request.Challenge[:], challenge)
		if noList {
			s.request.Options = sb2.OptionNoList
		}
		answers(s).Check(t, b)
	})
}

//wire:test
func FuzzList(f *testing.F) { fuzzWith(f, listCodecWith) }

//wire:test
func FuzzPushServer(f *testing.F) { fuzzWith(f, pushServerCodecWith) }

// FuzzFrames checks that messages are the same however the stream is cut. A frame
// is a message with its length.
func FuzzFrames(f *testing.F) {
	var all []byte
	for _, g := range golden.Load(f) {
		f.Add(g.Data, []byte{1})
		all = append(all, g.Data...)
	}
	f.Add(all, []byte{1, 7, 200})
	f.Fuzz(func(t *testing.T, stream, sizes []byte) {
		codectest.Frames{
			Append: appendFrame,
			Framer: func() codectest.Framer { return framer{} },
			Buffer: sb2.MaxRequest,
		}.Check(t, stream, sizes)
	})
}

// appendFrame appends a message that was cut off.
func appendFrame(b, frame []byte) ([]byte, error) {
	m, err := sb2.ParseUnknown(frame)
	if err != nil {
		return b, err
	}
	return m.AppendBinary(b)
}

// A framer cuts messages by the functions of the package, which need no state: a
// message starts with its length.
type framer struct{}

func (framer) Next(b []byte) (frame, rest []byte, err error) {
	return sb2.NextFrame(b, sb2.MaxRequest)
}

func (framer) Split(data []byte, atEOF bool) (int, []byte, error) {
	return sb2.SplitFrames(data, atEOF)
}

// FuzzMasterStream checks that a stream has the parts of the whole answer, however it is
// cut.
func FuzzMasterStream(f *testing.F) {
	for _, g := range golden.Load(f) {
		f.Add(g.Data, uint8(1), false)
		if m, err := sb2.ParseList(g.Data); err == nil && !m.NoList {
			f.Add(encrypted(f, g.Data), uint8(7), true)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, size uint8, noList bool) {
		s := testStream()
		if noList {
			s.Request.Options = sb2.OptionNoList
		}
		want := readAll(s, b, len(b))
		got := readAll(s, b, int(size))
		want.sameAs(t, got)
		if want.err != nil && want.err != lobbywire.ErrTruncated {
			codectest.CheckError(t, want.err, len(b))
		}
		if m, err := s.Options.ParseAnswer(b, s.Secret, s.Request); err == nil && len(b) <= 1<<16 {
			want.isList(t, m)
		}
	})
}
