package bombermannet

import (
	"bytes"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
)

// A framer cuts frames off what has come. Its zero value is at the start.
type framer struct {
	needed int // bytes before which there is no whole frame
}

// next cuts the first frame off b. White space before it is used up even if no
// frame follows yet, so that a peer which sends a newline too many is not taken
// for one in the middle of a frame. What has not come whole is looked at again
// only when it may have: so bytes that come one at a time take no longer.
func (f *framer) next(b []byte) (payload, rest []byte, err error) {
	b = bytes.TrimLeft(b, " \t\r\n")
	if len(b) < f.needed {
		return nil, b, lobbywire.ErrTruncated
	}
	f.needed = 0
	payload, rest, err = bomberman.NextFrame(b, bomberman.MaxPayload)
	if err == lobbywire.ErrTruncated {
		f.needed = bomberman.FrameSize(b)
	}
	return payload, rest, err
}
