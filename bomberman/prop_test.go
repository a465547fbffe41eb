package bomberman_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/internal/test/golden"
)

// compare compares messages. The JSON form of a message has unknown members
// without white space, so they are compared without it.
//
//wire:test
var compare = cmp.Options{cmp.Comparer(func(a, b json.RawMessage) bool {
	return (a == nil) == (b == nil) && bytes.Equal(compact(a), compact(b))
})}

func compact(text []byte) []byte {
	var out bytes.Buffer
	if err := json.Compact(&out, text); err != nil {
		return text
	}
	return out.Bytes()
}

// framed is a message in its frame, as golden files hold it.
type framed[M bomberman.Message] struct{ Message M }

// frames returns the codec for frames that hold an M.
func frames[M bomberman.Message]() codectest.Codec[framed[M]] {
	return codectest.Codec[framed[M]]{
		Parse: func(b []byte) (framed[M], error) {
			m, err := bomberman.ParseFrame(b)
			if err != nil {
				return framed[M]{}, err
			}
			v, ok := m.(M)
			if !ok {
				return framed[M]{}, &lobbywire.Error{Proto: "bomberman", Field: reflect.TypeOf(m).Name(),
					Err: lobbywire.ErrUnsupported}
			}
			return framed[M]{v}, nil
		},
		Explain: bomberman.ExplainFrame,
		Compare: compare,
	}
}

func (f framed[M]) AppendBinary(b []byte) ([]byte, error) {
	return bomberman.AppendMessage(b, f.Message)
}

// anyFrames is the codec for frames, whatever they hold.
var anyFrames = codectest.Codec[codectest.Message]{
	Parse: func(b []byte) (codectest.Message, error) {
		m, err := bomberman.ParseFrame(b)
		if err != nil {
			return nil, err
		}
		return framed[bomberman.Message]{m}, nil
	},
	Explain: bomberman.ExplainFrame,
	Compare: compare,
}

// A codec is the codec of a message, whose golden files are frames.
type codec[M bomberman.Message] struct{ codectest.Codec[M] }

//wire:test
func codecOf[M bomberman.Message](
	parse func(b []byte) (M, error),
	parseWith func(o bomberman.Options, b []byte) (M, error),
	explain func(b []byte) lobbywire.Explanation,
	canonical bool,
) codec[M] {
	return codec[M]{codectest.Codec[M]{
		Parse:     parse,
		Strict:    func(b []byte) (M, error) { return parseWith(bomberman.Options{Strict: true}, b) },
		Explain:   explain,
		Canonical: canonical,
		Compare:   compare,
	}}
}

// Law returns the law of the frames that hold the message.
func (codec[M]) Law(golden.File) codectest.Law { return frames[M]() }

// Fuzz adds what is in the frames of golden files to the seeds.
func (c codec[M]) Fuzz(f *testing.F) {
	addPayloads(f)
	c.Codec.Fuzz(f)
}
