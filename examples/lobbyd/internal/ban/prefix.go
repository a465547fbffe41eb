package ban

import (
	"fmt"
	"net/netip"
)

// A Prefix is an address or a prefix of addresses, IPv4 never in IPv6 form. Bits
// beyond its length are 0.
type Prefix struct{ netip.Prefix }

// ParsePrefix reads "192.0.2.0/24", "192.0.2.7" or "2001:db8::/32".
func ParsePrefix(text string) (Prefix, error) {
	p, err := netip.ParsePrefix(text)
	if err != nil {
		a, err := netip.ParseAddr(text)
		if err != nil || a.Zone() != "" {
			return Prefix{}, fmt.Errorf("%q is neither an address nor a prefix", text)
		}
		p = netip.PrefixFrom(a, a.BitLen())
	}
	if a := p.Addr(); a.Is4In6() && p.Bits() >= mapped {
		p = netip.PrefixFrom(a.Unmap(), p.Bits()-mapped)
	}
	return Prefix{p.Masked()}, nil
}

// mapped is how many bits of an IPv4 address in IPv6 form are not its own.
const mapped = 96

// UnmarshalText is ParsePrefix.
func (p *Prefix) UnmarshalText(text []byte) (err error) {
	*p, err = ParsePrefix(string(text))
	return err
}
