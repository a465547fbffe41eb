package stream

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/lobbywire/lobbywire"
)

// Outcome returns the error of a client for an error of its connection:
// [lobbywire.ErrTimeout] for that of a deadline, [io.ErrUnexpectedEOF] if the peer has
// closed the connection, and any other error as it is.
func Outcome(err error) error {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return lobbywire.ErrTimeout
	case errors.Is(err, io.EOF):
		return io.ErrUnexpectedEOF
	}
	return err
}
