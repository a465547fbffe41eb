package bombermannet

import (
	"bytes"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
)

// A framer cuts frames off the input of a connection. Its zero value is ready.
type framer struct {
	needed int // bytes; with fewer there is no whole frame
}

// next cuts the first frame off b. It consumes white space before the frame even
// if the frame is incomplete, so that a peer that has sent an extra newline is not
// taken for one in the middle of a frame. It parses an incomplete frame again only
// when there may be enough bytes, so that trickling bytes take no more time.
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
