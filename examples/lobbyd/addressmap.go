package main

import (
	"fmt"
	"net/netip"
	"strings"
)

// A mapRule maps an address to another one: with all its ports, or one port to one port.
// Its text is "192.168.1.2=203.0.113.7" or "192.168.1.2:27015=203.0.113.7:27016". If only the
// first address has a port, the port stays the same.
type mapRule struct{ from, to netip.AddrPort } // port 0 means all ports

// UnmarshalText parses a rule.
func (r *mapRule) UnmarshalText(text []byte) error {
	left, right, found := strings.Cut(string(text), "=")
	from, okFrom := parseMapped(left)
	to, okTo := parseMapped(right)
	if !found || !okFrom || !okTo || from.Port() == 0 && to.Port() != 0 || from.Addr().Is4() != to.Addr().Is4() {
		return fmt.Errorf("%q does not map an address: write 192.168.1.2=203.0.113.7, or both with ports", text)
	}
	if to.Addr().IsUnspecified() || to.Addr().IsMulticast() {
		return fmt.Errorf("%q maps to an address that players cannot use", text)
	}
	*r = mapRule{from, to}
	return nil
}

// MarshalText returns the form that UnmarshalText parses.
func (r mapRule) MarshalText() ([]byte, error) {
	return []byte(showMapped(r.from) + "=" + showMapped(r.to)), nil
}

// parseMapped reads an address with or without a port.
func parseMapped(text string) (at netip.AddrPort, ok bool) {
	text = strings.TrimSpace(text)
	at, err := netip.ParseAddrPort(text)
	if err == nil {
		return netip.AddrPortFrom(at.Addr().Unmap(), at.Port()), at.Port() != 0 && at.Addr().Zone() == ""
	}
	addr, err := netip.ParseAddr(text)
	return netip.AddrPortFrom(addr.Unmap(), 0), err == nil && addr.Zone() == ""
}

func showMapped(at netip.AddrPort) string {
	if at.Port() == 0 {
		return at.Addr().String()
	}
	return at.String()
}

// An addressMap maps addresses that a master sees to addresses that players can use, as dpmaster
// does with -m. Its zero value changes no address.
type addressMap map[netip.AddrPort]netip.AddrPort

// newAddressMap returns a map of rules. It refuses two rules for the same address and port.
func newAddressMap(rules []mapRule) (addressMap, error) {
	m := make(addressMap, len(rules))
	for _, r := range rules {
		if _, again := m[r.from]; again {
			return nil, fmt.Errorf("%s is mapped twice", showMapped(r.from))
		}
		m[r.from] = r.to
	}
	return m, nil
}

// public returns the address for players, by the rule for its port or else for all ports.
func (m addressMap) public(at netip.AddrPort) netip.AddrPort {
	if len(m) == 0 {
		return at
	}
	addr := at.Addr().Unmap()
	to, found := m[netip.AddrPortFrom(addr, at.Port())]
	if !found {
		to, found = m[netip.AddrPortFrom(addr, 0)]
	}
	switch {
	case !found:
		return at
	case to.Port() == 0:
		return netip.AddrPortFrom(to.Addr(), at.Port())
	}
	return to
}
