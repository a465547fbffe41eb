package feeds

import (
	"bytes"
	"context"
	"io"
	"os"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/files"
	"github.com/lobbywire/lobbywire/examples/sidecar/internal/state"
)

// look is how often a file is read. Notifications of the system would be faster, but they
// do not work for network file systems and for files that a container mounts, and need
// code for each system.
const look = 200 * time.Millisecond

// File reports the state in a file at the start and whenever the file is written, until
// ctx is done. A file without a valid state, such as a half-written file, changes
// nothing.
func File(ctx context.Context, name string, h *state.Holder) {
	tick := time.NewTicker(look)
	defer tick.Stop()
	var last file
	for {
		last = last.again(name, h)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// A file is the file as File last saw it.
type file struct {
	text    []byte
	written time.Time
	failed  bool
}

// again reads the file again, and reports the state if the file was written since.
func (last file) again(name string, h *state.Holder) file {
	now, err := read(name)
	isSame := err == nil && now.written.Equal(last.written) && bytes.Equal(now.text, last.text)
	switch {
	case err != nil && last.failed, isSame && !last.failed:
		return last
	case err != nil:
		h.Fail(err)
		return file{failed: true}
	}
	_ = h.Put(now.text) // an error is part of the status
	return now
}

// read reads a file, up to just above the size of a state.
func read(name string) (file, error) {
	f, err := files.OpenRegular(name, os.O_RDONLY)
	if err != nil {
		return file{}, err
	}
	defer f.Close()
	about, err := f.Stat()
	if err != nil {
		return file{}, err
	}
	text, err := io.ReadAll(io.LimitReader(files.Text(f), state.MaxText+1))
	return file{text: text, written: about.ModTime()}, err
}
