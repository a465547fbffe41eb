package registry

import "net/netip"

// Public returns the address of a server in lists: the result of public, or the address
// itself if public is nil or the result cannot be listed.
func Public(public func(netip.AddrPort) netip.AddrPort, at netip.AddrPort,
	listable func(netip.AddrPort) bool) netip.AddrPort {
	if public == nil {
		return at
	}
	listed := public(at)
	if !listable(listed) {
		return at
	}
	return listed
}

// IsHost4 reports whether an IPv4 host can have the address: it is neither of this network nor
// multicast, reserved or broadcast.
func IsHost4(a netip.Addr) bool { return a.Is4() && a.As4()[0] > 0 && a.As4()[0] < 224 }
