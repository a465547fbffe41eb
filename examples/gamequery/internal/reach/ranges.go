package reach

import "net/netip"

// local are the ranges that are not, or not surely, hosts of the public internet. Most are
// those that the IANA special-purpose registries mark as not globally reachable.
var local = prefixes(
	"0.0.0.0/8",        // this network
	"10.0.0.0/8",       // private
	"100.64.0.0/10",    // shared by carriers (CGNAT)
	"127.0.0.0/8",      // loopback
	"161.26.0.0/16",    // services of IBM Cloud for its machines
	"166.8.0.0/14",     // the same
	"168.63.129.16/32", // services of Azure for its machines
	"169.254.0.0/16",   // link-local, with the metadata of clouds
	"172.16.0.0/12",    // private
	"192.0.0.0/24",     // protocol assignments
	"192.0.2.0/24",     // documentation
	"192.88.99.0/24",   // 6to4 relays
	"192.168.0.0/16",   // private
	"198.18.0.0/15",    // benchmarks
	"198.51.100.0/24",  // documentation
	"203.0.113.0/24",   // documentation
	"224.0.0.0/3",      // multicast, reserved and broadcast
	"2001::/23",        // protocol assignments, with Teredo, which contains IPv4 addresses
	"2001:db8::/32",    // documentation
	"2002::/16",        // 6to4, which contains IPv4 addresses
	"3fff::/20",        // documentation
)

var (
	unicast6 = netip.MustParsePrefix("2000::/3")     // all other IPv6 is local, unassigned or multicast
	nat64    = netip.MustParsePrefix("64:ff9b::/96") // an IPv4 address in the last 4 bytes
)

func prefixes(all ...string) []netip.Prefix {
	parsed := make([]netip.Prefix, len(all))
	for i, s := range all {
		parsed[i] = netip.MustParsePrefix(s)
	}
	return parsed
}

// isPublic reports whether an address is a host of the public internet. What is translated
// to an IPv4 address counts as that address.
func isPublic(a netip.Addr) bool {
	a = bare(a)
	if a.Zone() != "" || a.Is6() && !unicast6.Contains(a) {
		return false
	}
	return !contains(local, a)
}

// bare returns the IPv4 address that an address contains, or the address itself.
func bare(a netip.Addr) netip.Addr {
	a = a.Unmap()
	if nat64.Contains(a) {
		b := a.As16()
		return netip.AddrFrom4([4]byte(b[12:]))
	}
	return a
}

func contains(all []netip.Prefix, a netip.Addr) bool {
	for _, p := range all {
		if p.Contains(a) {
			return true
		}
	}
	return false
}
