package stream

import (
	"context"
	"errors"
	"io"
	"net"
	"os"

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
