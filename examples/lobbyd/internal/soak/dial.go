package soak

import (
	"context"
	"math/rand/v2"
	"net"
	"net/netip"
)

// gamePort is the port of hosts that have no socket for it. It is the fixed port of
// the JSON proposal.
const gamePort = 2100

// from returns a Dial that connects from an address. If rude is set, connections are
// reset when they are closed.
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

// isRude reports whether a host resets its connection.
func isRude(r *rand.Rand) bool { return r.IntN(4) == 0 }
