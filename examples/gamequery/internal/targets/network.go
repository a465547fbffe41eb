package targets

import (
	"fmt"
	"net/netip"
)

// Limits of a target that is a network. A larger scan needs a list, written on purpose.
const (
	maxNetworkBits    = 12      // of 4096 addresses, as an IPv4 /20 has
	maxNetworkQueries = 1 << 16 // addresses times ports
)

// isNetwork reports whether the host is a network.
func (p Place) isNetwork() bool {
	_, err := netip.ParsePrefix(p.Host)
	return err == nil
}

// checkNetwork refuses a network beyond the limits.
func (p Place) checkNetwork() error {
	network, err := netip.ParsePrefix(p.Host)
	if err != nil {
		return nil
	}
	length := network.Addr().BitLen()
	free := length - network.Bits()
	if free > maxNetworkBits {
		return fmt.Errorf("a network has up to %d addresses, as a /%d: name smaller ones, or a list with -from",
			1<<maxNetworkBits, length-maxNetworkBits)
	}
	if queries := p.Count << free; queries > maxNetworkQueries {
		return fmt.Errorf("%d addresses and ports, of up to %d: name fewer ports or a smaller network",
			queries, maxNetworkQueries)
	}
	return nil
}

// addressesOf returns all addresses of a network, also the first and the last, which
// hosted servers may have.
func addressesOf(network netip.Prefix) (all []netip.Addr) {
	for a := network.Masked().Addr(); network.Contains(a); a = a.Next() {
		all = append(all, a.Unmap())
	}
	return all
}
