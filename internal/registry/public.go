package registry

import "net/netip"

// Public returns the address of a server in lists: what public makes of it, or the address
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
