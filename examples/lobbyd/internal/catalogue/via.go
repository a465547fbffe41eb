package catalogue

import (
	"context"
	"net"
	"net/netip"
)

// DialFrom returns a function that opens sockets to query a server from its Via, or from any
// address if this machine does not have it. It is nil, for any address, if Via is not valid.
func DialFrom(via netip.Addr) func(ctx context.Context, network, addr string) (net.Conn, error) {
	if !via.IsValid() {
		return nil
	}
	d := net.Dialer{LocalAddr: net.UDPAddrFromAddrPort(netip.AddrPortFrom(via, 0))}
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := d.DialContext(ctx, network, addr)
		if err != nil {
			return new(net.Dialer).DialContext(ctx, network, addr)
		}
		return c, nil
	}
}

// ListenFrom is DialFrom for sockets that query several servers with the same Via.
func ListenFrom(via netip.Addr) func(ctx context.Context) (net.PacketConn, error) {
	if !via.IsValid() {
		return nil
	}
	return func(ctx context.Context) (net.PacketConn, error) {
		var config net.ListenConfig
		pc, err := config.ListenPacket(ctx, "udp", netip.AddrPortFrom(via, 0).String())
		if err != nil {
			return config.ListenPacket(ctx, "udp", "")
		}
		return pc, nil
	}
}
