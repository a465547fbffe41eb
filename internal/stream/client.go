package stream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"syscall"

	"github.com/lobbywire/lobbywire"
)

// A DialFunc is [net.Dialer.DialContext] or a replacement.
type DialFunc func(ctx context.Context, network, addr string) (net.Conn, error)

// Dial connects to addr over TCP. It uses dial unless that is nil.
func Dial(ctx context.Context, dial DialFunc, addr string, limits Limits) (*Conn, error) {
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	c, err := dial(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	return NewConn(c, limits), nil
}

// Outcome converts an error of a client's connection: to [lobbywire.ErrTimeout] after
// a deadline, and to [io.ErrUnexpectedEOF] if the peer has closed the connection. It adds
// [lobbywire.ErrUnreadable] to the error of a message of the peer, and returns other
// errors unchanged.
func Outcome(err error) error {
	switch {
	case errors.Is(err, lobbywire.ErrUnreadable):
		return err
	case isLate(err):
		return lobbywire.ErrTimeout
	case errors.Is(err, io.EOF):
		return io.ErrUnexpectedEOF
	}
	if e, ok := errors.AsType[*lobbywire.Error](err); ok && e.Offset >= 0 {
		return fmt.Errorf("%w: %w", lobbywire.ErrUnreadable, err)
	}
	return err
}

// Incomplete is [Outcome] for an answer that has arrived in part. If a deadline or the end of
// the connection cut it, the error is [lobbywire.ErrUnreadable], which wraps
// [lobbywire.ErrTruncated] and the reason, and not a timeout.
func Incomplete(err error) error {
	switch {
	case errors.Is(err, lobbywire.ErrUnreadable):
		return err
	case isLate(err):
		err = os.ErrDeadlineExceeded
	case isEnd(err):
		err = io.ErrUnexpectedEOF
	default:
		return Outcome(err)
	}
	return fmt.Errorf("%w: %w: %w", lobbywire.ErrUnreadable, lobbywire.ErrTruncated, err)
}

// Outcome is [Incomplete] if a part of a message has arrived, otherwise [Outcome].
func (c *Conn) Outcome(err error) error {
	if len(c.Rest()) > 0 {
		return Incomplete(err)
	}
	return Outcome(err)
}

// isLate reports whether err means that a deadline has passed.
func isLate(err error) bool {
	return errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded)
}

// isEnd reports whether err means that the peer has closed the connection.
func isEnd(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET)
}

// A noList is an [io.ErrUnexpectedEOF] of a client that requested a list.
type noList struct{ why string }

func (e *noList) Error() string {
	return "lobbywire: the master closed the connection without a list: it probably does not know " + e.why
}

func (e *noList) Unwrap() error { return io.ErrUnexpectedEOF }

// NoList is [Outcome] for a client that has requested the list of a game and received
// nothing. Masters that do not know the game, or refuse for another reason, close the
// connection.
func NoList(err error, game, orElse string) error {
	if isEnd(err) {
		return &noList{"the game " + strconv.Quote(game) + orElse}
	}
	return Outcome(err)
}
