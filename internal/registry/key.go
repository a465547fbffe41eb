package registry

import "net/netip"

// A key is an address without pointers, so that the garbage collector need not scan
// the index.
type key struct {
	ip   [16]byte // IPv4 in IPv6 form
	port uint16
}

func keyOf(a netip.AddrPort) key { return key{a.Addr().As16(), a.Port()} }

func (k key) addrPort() netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom16(k.ip).Unmap(), k.port)
}
