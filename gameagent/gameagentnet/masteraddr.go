package gameagentnet

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strconv"
	"time"
)

// errMasterAddr is what is wrong with an address that cannot be a master's.
var errMasterAddr = errors.New("gameagentnet: the address of a master must be one of IPv4, with a port")

// Master returns the address to which the result of Tick is sent. It fails if
// Addr is not an IPv4 address with a port; the address of a name is known only
// while Run runs.
func (r *Registration) Master() (netip.AddrPort, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.master.IsValid() {
		return r.master, nil
	}
	return masterAddr(r.Addr)
}

func masterAddr(addr string) (netip.AddrPort, error) {
	a, err := netip.ParseAddrPort(addr)
	a = unmap(a)
	if err != nil || !a.Addr().Is4() || a.Port() == 0 {
		return netip.AddrPort{}, errMasterAddr
	}
	return a, nil
}

// resolve returns the master's address. It asks for that of a name until there
// is an answer.
func (r *Registration) resolve(ctx context.Context) (netip.AddrPort, error) {
	host, port, err := net.SplitHostPort(r.Addr)
	if err != nil {
		return netip.AddrPort{}, err
	}
	if _, err := netip.ParseAddr(host); err == nil || host == "" {
		return masterAddr(r.Addr)
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n == 0 {
		return netip.AddrPort{}, errMasterAddr
	}
	for wait := firstRetry; ; wait = min(2*wait, heartbeatEvery) {
		addrs, err := net.DefaultResolver.LookupNetIP(ctx, "ip4", host)
		if err == nil && len(addrs) > 0 {
			return netip.AddrPortFrom(addrs[0].Unmap(), uint16(n)), nil
		}
		r.debug(ctx, "the master was not found", err)
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return netip.AddrPort{}, context.Cause(ctx)
		}
	}
}
