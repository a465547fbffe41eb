package stream

import (
	"context"
	"net"
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
