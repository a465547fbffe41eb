package lobbywire

import "net/netip"

// IsPublic reports whether an address is, as far as is known, an address of the public
// internet. Programs that query servers for strangers should query no others. An address
// that NAT64 translates counts as the IPv4 address that it contains, and a zone is ignored.
func IsPublic(a netip.Addr) bool { return scopeOf(a) == scopePublic }

// minTargetPort is the first port beyond the system ports.
const minTargetPort = 1024

// otherServices are higher ports of services that attackers use as reflectors, or that obey
// every peer.
var otherServices = [...]uint16{
	1433, 1434, // MS SQL
	1900,  // SSDP
	3283,  // Apple Remote Desktop
	3389,  // Remote Desktop
	3702,  // WS-Discovery
	5351,  // NAT-PMP
	5353,  // multicast DNS
	5683,  // CoAP
	6379,  // Redis
	6881,  // BitTorrent DHT
	10001, // Ubiquiti discovery
	11211, // memcached
	17185, // VxWorks debugger
	32414, // Plex discovery
	37810, // DHDiscover
}

// IsServicePort reports whether services other than games use a port: any below 1024, and
// 1433, 1434, 1900, 3283, 3389, 3702, 5351, 5353, 5683, 6379, 6881, 10001, 11211, 17185,
// 32414 and 37810. Programs that query servers for strangers should query none of these.
func IsServicePort(port uint16) bool {
	for _, other := range otherServices {
		if port == other {
			return true
		}
	}
	return port < minTargetPort
}

// A scope is how far an address reaches. A master may list addresses of its own scope and
// of those that reach farther.
type scope int

const (
	scopePublic    scope = iota // also of an unknown master
	scopeTest                   // networks for documentation and tests
	scopePrivate                // also behind the NAT of a carrier
	scopeLinkLocal              // also services that clouds have for their machines
	scopeLoopback
	scopeNone // of no server
)

// scopes are ranges of addresses, in the order of the lookup. Most are from the IANA
// registries of special-purpose addresses.
var scopes = [...]struct {
	scope scope
	prefixes
}{
	{scopeNone, prefixesOf(
		"0.0.0.0/8",          // this network
		"127.255.255.255/32", // broadcast
		"192.0.0.0/24",       // protocol assignments
		"192.88.99.0/24",     // 6to4 relays
		"224.0.0.0/3",        // multicast, reserved and broadcast
		"2001::/23",          // protocol assignments, with Teredo, which contains IPv4 addresses
		"2002::/16",          // 6to4, which contains IPv4 addresses
	)},
	{scopeLoopback, prefixesOf("127.0.0.0/8", "::1/128")},
	{scopeLinkLocal, prefixesOf(
		"161.26.0.0/16",    // services of IBM Cloud
		"166.8.0.0/14",     // the same
		"168.63.129.16/32", // services of Azure
		"169.254.0.0/16",
		"fe80::/10",
	)},
	{scopePrivate, prefixesOf(
		"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7",
		"100.64.0.0/10",  // shared by carriers
		"64:ff9b:1::/48", // local NAT64
		"fec0::/10",      // site-local
	)},
	{scopeTest, prefixesOf(
		"192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "3fff::/20", // documentation
		"198.18.0.0/15", // benchmarks
	)},
	{scopePublic, prefixesOf("0.0.0.0/0", "2000::/3")},
	{scopeNone, prefixesOf("::/0")}, // unassigned, multicast, or an IPv4 address
}

// nat64 is the prefix of addresses that contain an IPv4 address in their last 4 bytes.
var nat64 = netip.MustParsePrefix("64:ff9b::/96")

type prefixes []netip.Prefix

func prefixesOf(all ...string) prefixes {
	parsed := make(prefixes, len(all))
	for i, s := range all {
		parsed[i] = netip.MustParsePrefix(s)
	}
	return parsed
}

func (all prefixes) contain(a netip.Addr) bool {
	for _, p := range all {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// scopeOf returns the scope of an address.
func scopeOf(a netip.Addr) scope {
	a = embedded(a)
	if isISATAP(a) {
		return scopeNone
	}
	for _, s := range scopes {
		if s.contain(a) {
			return s.scope
		}
	}
	return scopeNone
}

// embedded returns the IPv4 address that an IPv6 address contains, or the address itself
// without its zone.
func embedded(a netip.Addr) netip.Addr {
	a = a.Unmap().WithZone("")
	if nat64.Contains(a) {
		b := a.As16()
		return netip.AddrFrom4([4]byte(b[12:]))
	}
	return a
}

// isISATAP reports whether an address is one of ISATAP (RFC 5214): routers send its packets
// to the IPv4 address that it contains.
func isISATAP(a netip.Addr) bool {
	if !a.Is6() {
		return false
	}
	b := a.As16()
	return b[8]&^2 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe
}
