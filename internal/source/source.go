// Package source groups addresses by their owners, for limits: the addresses of a source
// certainly have one owner, the addresses of a prefix probably.
package source

import (
	"encoding/binary"
	"net/netip"
)

// Of returns the source of an address: an IPv4 address, also in IPv6 form, or an IPv6
// /64. IPv4 addresses take the place of the unassigned /64 that begin with zeros.
func Of(a netip.Addr) uint64 {
	b := a.As16()
	if a.Unmap().Is4() {
		return uint64(binary.BigEndian.Uint32(b[12:]))
	}
	return binary.BigEndian.Uint64(b[:])
}

// IsIPv4 reports whether a source is an IPv4 address.
func IsIPv4(source uint64) bool { return source>>32 == 0 }

// Prefix returns the prefix of a source: an IPv4 /24 or an IPv6 /48.
func Prefix(source uint64) uint64 {
	if IsIPv4(source) {
		return source &^ 0xff
	}
	return source &^ 0xffff
}

// PrefixOf returns the prefix of an address in its usual form.
func PrefixOf(a netip.Addr) netip.Prefix {
	bits := 48
	if a.Is4() {
		bits = 24
	}
	p, _ := a.Prefix(bits)
	return p
}
