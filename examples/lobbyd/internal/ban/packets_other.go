//go:build !linux

package ban

import "net"

// PacketConn returns pc without the datagrams of banned addresses. Only on Linux would
// wrapping the socket cost more than checking each address: servers could not read in
// batches, nor answer from the address asked.
func (g *Gate) PacketConn(pc net.PacketConn) (net.PacketConn, error) {
	return &packetConn{PacketConn: pc, gate: g}, nil
}

type packetConn struct {
	net.PacketConn
	gate *Gate
}

func (c *packetConn) ReadFrom(b []byte) (int, net.Addr, error) {
	for {
		n, from, err := c.PacketConn.ReadFrom(b)
		if err != nil || !c.gate.BannedPeer(from) {
			return n, from, err
		}
	}
}
