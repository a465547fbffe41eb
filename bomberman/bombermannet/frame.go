package bombermannet

import (
	"bytes"

	"github.com/lobbywire/lobbywire/bomberman"
)

// A framer cuts frames off the input of a connection. It consumes white space before a
// frame even if the frame is incomplete, so that an extra newline does not count as the
// start of a frame.
type framer struct{ bomberman.Framer }

// next cuts the first frame off b.
func (f *framer) next(b []byte) (payload, rest []byte, err error) {
	return f.Next(bytes.TrimLeft(b, " \t\r\n"))
}
