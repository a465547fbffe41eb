package stream

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/lobbywire/lobbywire"
)

// Outcome converts an error of a client's connection: to [lobbywire.ErrTimeout] after
// a deadline, and to [io.ErrUnexpectedEOF] if the peer has closed the connection. It
// returns other errors unchanged.
func Outcome(err error) error {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return lobbywire.ErrTimeout
	case errors.Is(err, io.EOF):
		return io.ErrUnexpectedEOF
	}
	return err
}
