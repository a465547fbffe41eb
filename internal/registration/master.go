package registration

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strconv"
	"time"
)

// errAddr is the error for an address that no master can have.
var errAddr = errors.New("lobbywire: the address of a master must be an IPv4 address with a port")

// MasterAddr returns the address of a master that is written as an IPv4 address and a
// port.
func MasterAddr(addr string) (netip.AddrPort, error) {
	a, err := netip.ParseAddrPort(addr)
	a = netip.AddrPortFrom(a.Addr().Unmap(), a.Port())
	if err != nil || !a.Addr().Is4() || a.Port() == 0 {
		return netip.AddrPort{}, errAddr
	}
	return a, nil
}

// Waits between two lookups of a name.
const (
	firstWait = 3 * time.Second // doubles
	lastWait  = 150 * time.Second
)

// resolve is MasterAddr, and also looks up names. It repeats a lookup that has failed, and
// calls failed each time.
func resolve(ctx context.Context, addr string, failed func(error)) (netip.AddrPort, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return netip.AddrPort{}, err
	}
	if _, err := netip.ParseAddr(host); err == nil || host == "" {
		return MasterAddr(addr)
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n == 0 {
		return netip.AddrPort{}, errAddr
	}
	for wait := firstWait; ; wait = min(2*wait, lastWait) {
		addrs, err := net.DefaultResolver.LookupNetIP(ctx, "ip4", host)
		if err == nil && len(addrs) > 0 {
			return netip.AddrPortFrom(addrs[0].Unmap(), uint16(n)), nil
		}
		failed(err)
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return netip.AddrPort{}, context.Cause(ctx)
		}
	}
}
