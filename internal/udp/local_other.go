//go:build !linux

package udp

import (
	"net/netip"

	"golang.org/x/net/ipv4"
	"golang.org/x/net/ipv6"
)

// localAddr returns the local address in the control messages of a datagram, or an address
// that is not valid.
func localAddr(control []byte) netip.Addr {
	var v4 ipv4.ControlMessage
	if v4.Parse(control) == nil {
		if addr, ok := netip.AddrFromSlice(v4.Dst); ok {
			return unicast(addr)
		}
	}
	var v6 ipv6.ControlMessage
	if v6.Parse(control) != nil {
		return netip.Addr{}
	}
	addr, _ := netip.AddrFromSlice(v6.Dst)
	return unicast(addr.Unmap())
}

// appendSource appends the control message that makes a datagram leave from a local
// address. There is none on Windows, and on most BSDs none for IPv4.
func appendSource(b []byte, local netip.Addr) []byte {
	if local.Is4() {
		return append(b, (&ipv4.ControlMessage{Src: local.AsSlice()}).Marshal()...)
	}
	return append(b, (&ipv6.ControlMessage{Src: local.AsSlice()}).Marshal()...)
}
