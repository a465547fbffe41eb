package udp

import (
	"net"
	"net/netip"

	"golang.org/x/net/ipv4"
	"golang.org/x/net/ipv6"
)

// Peers, routers and firewalls accept answers only from the address to which the peer has
// sent. A socket that is bound to all addresses of a machine would send from the address
// that the route to the peer prefers. It therefore reports the local address of each
// datagram in a control message, and accepts the address to send from in another:
// IP_PKTINFO and IPV6_PKTINFO. Only local.go, local_linux.go and local_other.go use them.

// boundTo returns the address that pc is bound to. It is not valid if pc is bound to all
// addresses.
func boundTo(pc net.PacketConn) netip.Addr {
	addr := AddrPort(pc.LocalAddr()).Addr()
	if !addr.IsValid() || addr.IsUnspecified() {
		return netip.Addr{}
	}
	return addr
}

// reportLocal makes a socket that is bound to all addresses report the local address of
// each datagram, and returns the size of its control messages, or 0 if it cannot. Sockets
// for both address families have one for each.
func reportLocal(c *net.UDPConn) (size int) {
	if boundTo(c).IsValid() {
		return 0
	}
	if ipv4.NewPacketConn(c).SetControlMessage(ipv4.FlagDst, true) == nil {
		size += len(ipv4.NewControlMessage(ipv4.FlagDst))
	}
	if ipv6.NewPacketConn(c).SetControlMessage(ipv6.FlagDst, true) == nil {
		size += len(ipv6.NewControlMessage(ipv6.FlagDst))
	}
	return size
}

// sendFrom sends a datagram from a local address. If the address is not valid, or the
// system refuses to send from it, the system chooses one.
func sendFrom(pc net.PacketConn, local netip.Addr, to net.Addr, b []byte) error {
	c, isSocket := pc.(*net.UDPConn)
	if addr, ok := to.(*net.UDPAddr); ok && isSocket && local.IsValid() && !boundTo(pc).IsValid() {
		if _, _, err := c.WriteMsgUDP(b, appendSource(nil, local), addr); err == nil {
			return nil
		}
	}
	_, err := pc.WriteTo(b, to)
	return err
}
