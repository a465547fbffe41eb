package check

import (
	"encoding"

	"github.com/lobbywire/lobbywire/bomberman"
)

// MustBinary returns the bytes of a message of the cases, which can all be encoded.
func MustBinary(m encoding.BinaryAppender) []byte {
	b, _ := m.AppendBinary(nil)
	return b
}

// Frames returns messages of Bomberman as a stream.
func Frames(messages ...bomberman.Message) (stream []byte) {
	for _, m := range messages {
		stream, _ = bomberman.AppendMessage(stream, m)
	}
	return stream
}

// Framed returns JSON texts as a stream of Bomberman.
func Framed(objects ...string) (stream []byte) {
	for _, object := range objects {
		stream, _ = bomberman.AppendFrame(stream, []byte(object))
	}
	return stream
}
