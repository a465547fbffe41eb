package ban

import (
	"fmt"
	"net/netip"
)

// A Prefix is an address or a prefix. IPv4 is never in IPv6 form, and bits after the
// length are 0.
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

// mapped is the number of leading bits of an IPv4 address in IPv6 form that are not
// part of the IPv4 address.
const mapped = 96

// UnmarshalText parses as ParsePrefix does.
func (p *Prefix) UnmarshalText(text []byte) (err error) {
	*p, err = ParsePrefix(string(text))
	return err
}
