package lobbywire

import (
	"errors"
	"fmt"
	"os"
)

// Outcomes that all helpers share. Helpers may wrap them; test with [errors.Is].
var (
	// ErrTimeout means that no answer arrived in time. It is an [os.ErrDeadlineExceeded], too.
	ErrTimeout error = timeoutError{}

	// ErrChallengeOnly is an ErrTimeout of a server that answered the challenge request,
	// which precedes the query in some protocols. The server therefore runs and speaks the
	// protocol.
	ErrChallengeOnly = fmt.Errorf("%w: the challenge was answered, but the query was not; "+
		"its answer may be too large for the network, or dropped", ErrTimeout)

	// ErrUnreadable means that the peer answered, but that the answer cannot be read. The
	// error also wraps the reason, usually an [*Error]. If only a part of an answer over
	// TCP arrived, the reason is [ErrTruncated], with [os.ErrDeadlineExceeded] or
	// [io.ErrUnexpectedEOF].
	ErrUnreadable = errors.New("it answered, but the answer cannot be read")

	// ErrLost means that no answer arrived in time, but this machine dropped datagrams
	// meanwhile, perhaps including the answer. Scan more slowly, or with a larger receive
	// buffer.
	ErrLost = errors.New("answers were dropped by this machine")

	// ErrRefused means that a master or lobby refuses a server, or a request.
	ErrRefused = errors.New("refused")

	// ErrClosed is the error that Serve and Run return after Shutdown or Close.
	ErrClosed = errors.New("lobbywire: closed")
)

type timeoutError struct{}

func (timeoutError) Error() string { return "no answer in time" }

// Timeout is for [os.IsTimeout] and programs that expect a net.Error.
func (timeoutError) Timeout() bool { return true }

func (timeoutError) Is(target error) bool { return target == os.ErrDeadlineExceeded }
