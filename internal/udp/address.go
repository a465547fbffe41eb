package udp

import (
	"net"
	"net/netip"
	"strconv"
)

// AddrPort returns the address of a peer, an IPv4 address never in IPv6 form. It
// returns the zero AddrPort for an address of another kind.
func AddrPort(a net.Addr) netip.AddrPort {
	u, ok := a.(interface{ AddrPort() netip.AddrPort })
	if !ok {
		return netip.AddrPort{}
	}
	return Unmap(u.AddrPort())
}

// Peer returns an address in the form that [Conn.Packet] returns. Systems report the name
// of a zone, and only with link-local addresses, which need one.
func Peer(a netip.AddrPort) (netip.AddrPort, error) {
	a = Unmap(a)
	zone := a.Addr().Zone()
	if a.Addr().Is4() || !a.Addr().IsLinkLocalUnicast() {
		return netip.AddrPortFrom(a.Addr().WithZone(""), a.Port()), nil
	}
	i, err := net.InterfaceByName(zone)
	if number, notNumber := strconv.Atoi(zone); err != nil && notNumber == nil {
		i, err = net.InterfaceByIndex(number)
	}
	if err != nil {
		return a, &net.AddrError{Err: "no zone, which is a network interface", Addr: a.String()}
	}
	return netip.AddrPortFrom(a.Addr().WithZone(i.Name), a.Port()), nil
}

// Unmap returns an address whose IPv4 address is not in IPv6 form.
func Unmap(a netip.AddrPort) netip.AddrPort { return netip.AddrPortFrom(a.Addr().Unmap(), a.Port()) }

// unicast returns addr, or an address that is not valid if one cannot send from addr.
func unicast(addr netip.Addr) netip.Addr {
	if addr.IsMulticast() || addr == netip.AddrFrom4([4]byte{255, 255, 255, 255}) {
		return netip.Addr{}
	}
	return addr
}
