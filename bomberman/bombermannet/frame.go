package bombermannet

import (
	"bytes"

	"github.com/lobbywire/lobbywire/bomberman"
)

// nextFrame cuts the first frame off b. White space before it is used up even
// if no frame follows yet, so that a peer which sends a newline too many is not
// taken for one in the middle of a frame.
func nextFrame(b []byte) (payload, rest []byte, err error) {
	return bomberman.NextFrame(bytes.TrimLeft(b, " \t\r\n"), bomberman.MaxPayload)
}
