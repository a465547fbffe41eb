package lobbywire

import "errors"

// Outcomes that all helpers share. Helpers may wrap them; test with [errors.Is].
var (
	// ErrTimeout means that no answer arrived in time.
	ErrTimeout = errors.New("no answer in time")

	// ErrLost means that a server did not answer in time, and that this machine
	// dropped datagrams while it waited, perhaps the answer: scan more slowly,
	// or with a larger receive buffer.
	ErrLost = errors.New("answers were dropped by this machine")

	// ErrClosed is what Serve and Run return after Shutdown or Close.
	ErrClosed = errors.New("lobbywire: closed")
)
