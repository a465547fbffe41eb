// Package feeds reads the state of a game from lines of JSON, a file, or the answers of
// the game to queries.
package feeds

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/lobbywire/lobbywire/examples/sidecar/internal/state"
)

// errLong is the error for a line that is longer than any state.
var errLong = fmt.Errorf("a line has more than %d bytes", state.MaxText)

// Lines reports each line of r, a whole state in JSON, until r ends. A line with an error
// changes nothing, and empty lines are ignored.
func Lines(r io.Reader, h *state.Holder) error {
	lines := bufio.NewReaderSize(r, state.MaxText+1)
	for {
		line, err := lines.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			h.Fail(errLong)
			err = skipLine(lines)
		case len(bytes.TrimSpace(line)) > 0:
			_ = h.Put(line) // part of the status
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// skipLine reads up to the end of a line.
func skipLine(lines *bufio.Reader) error {
	for {
		_, err := lines.ReadSlice('\n')
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}
