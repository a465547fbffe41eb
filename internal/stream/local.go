package stream

import (
	"context"
	"net"
	"net/netip"
	"sync/atomic"
	"time"
)

// A Local is the address from which the connections of a host come: the one at which its game
// listens, because lobbies list games at the source addresses of connections. The zero value is
// any address.
type Local struct{ addr atomic.Pointer[netip.Addr] }

// Set sets the address of a listener, or any address if the listener accepts connections
// to several.
func (l *Local) Set(listener net.Addr) {
	var addr netip.Addr
	if listener != nil {
		at, _ := netip.ParseAddrPort(listener.String())
		addr = at.Addr().Unmap()
	}
	if addr.IsUnspecified() {
		addr = netip.Addr{}
	}
	l.addr.Store(&addr)
}

// Addr returns the address; the zero Addr is any.
func (l *Local) Addr() netip.Addr {
	if addr := l.addr.Load(); addr != nil {
		return *addr
	}
	return netip.Addr{}
}

// Or returns dial or, if that is nil, Dial.
func (l *Local) Or(dial DialFunc) DialFunc {
	if dial == nil {
		return l.Dial
	}
	return dial
}

// Dial connects from the address. If that fails, as to a peer of the other address family, it
// connects from any. The first attempt may take half of the time that ctx leaves.
func (l *Local) Dial(ctx context.Context, network, addr string) (net.Conn, error) {
	if local := l.Addr(); local.IsValid() {
		d := net.Dialer{LocalAddr: net.TCPAddrFromAddrPort(netip.AddrPortFrom(local, 0))}
		if deadline, ok := ctx.Deadline(); ok {
			d.Timeout = time.Until(deadline) / 2
		}
		if c, err := d.DialContext(ctx, network, addr); err == nil || ctx.Err() != nil {
			return c, err
		}
	}
	return new(net.Dialer).DialContext(ctx, network, addr)
}
