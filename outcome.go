package lobbywire

import "errors"

// Outcomes that all helpers share. Helpers may wrap them; test with [errors.Is].
var (
	// ErrTimeout means that no answer arrived in time.
	ErrTimeout = errors.New("no answer in time")

	// ErrLost means that no answer arrived in time, but that this machine
	// dropped datagrams meanwhile, and the answer may have been among them.
	// Scan more slowly, or with a larger receive buffer.
	ErrLost = errors.New("answers were dropped by this machine")

	// ErrClosed is the error that Serve and Run return after Shutdown or Close.
	ErrClosed = errors.New("lobbywire: closed")
)
