package stream

import (
	"context"
	"net"
)

// A DialFunc is [net.Dialer.DialContext] or in place of it.
type DialFunc func(ctx context.Context, network, addr string) (net.Conn, error)

// Dial connects to addr over TCP, with dial unless that is nil.
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
