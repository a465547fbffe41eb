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

// A block is the addresses that share their first bits.
type block struct {
	bits uint8
	ip   [16]byte // 0 behind the bits
}

// address returns the block that surely has one owner.
func (k key) address() block { return k.block(32, 64) }

// prefix returns the block that probably has one owner.
func (k key) prefix() block { return k.block(24, 48) }

// block returns the block of k with the given bits of an IPv4 address or of an
// IPv6 address, which are multiples of 8.
func (k key) block(bits4, bits6 uint8) (b block) {
	b.bits = bits6
	if netip.AddrFrom16(k.ip).Is4In6() {
		b.bits = 96 + bits4
	}
	copy(b.ip[:], k.ip[:b.bits/8])
	return b
}
