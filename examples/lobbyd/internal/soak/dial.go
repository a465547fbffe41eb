package soak

import (
	"context"
	"math/rand/v2"
	"net"
	"net/netip"
)

// gamePort is that of hosts that have no socket there. It is the one that the
// JSON proposal has for all.
const gamePort = 2100

// from returns a Dial that connects from an address. If it is rude, connections
// are reset when they are closed.
func from(addr netip.Addr, rude bool) func(ctx context.Context, network, to string) (net.Conn, error) {
	d := net.Dialer{LocalAddr: net.TCPAddrFromAddrPort(netip.AddrPortFrom(addr, 0))}
	return func(ctx context.Context, network, to string) (net.Conn, error) {
		c, err := d.DialContext(ctx, network, to)
		if err == nil && rude {
			err = c.(*net.TCPConn).SetLinger(0)
		}
		return c, err
	}
}

// isRude tells whether a host resets its connection.
func isRude(r *rand.Rand) bool { return r.IntN(4) == 0 }
