package registration

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
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

// A Lookup returns the addresses of a host, as [net.Resolver.LookupNetIP] does.
type Lookup func(ctx context.Context, network, host string) ([]netip.Addr, error)

// Times of lookups.
const (
	lookupEvery = 150 * time.Second // while the master is heard
	quietLookup = 45 * time.Second  // if it has not been heard for quietAfter; many masters need not answer
	quietAfter  = 30 * time.Second
	firstLookup = 3 * time.Second  // after a failure, or while the master is silent; doubles, up to quietLookup
	lookupTime  = 15 * time.Second // limit
)

// A name is the name of a master, which is looked up repeatedly, one lookup at a time.
type name struct {
	lookup Lookup
	host   string
	port   uint16

	found  chan found    // receives the result of the lookup that runs; nil if none runs
	last   time.Time     // when the last lookup began; zero before the first
	again  time.Duration // from there to the next one, after a failure or while the master is silent
	cancel context.CancelFunc
}

// found is the result of a lookup.
type found struct {
	addrs []netip.Addr
	err   error
}

// parse returns the address of a master, or its name if it needs a lookup.
func parse(addr string, lookup Lookup) (netip.AddrPort, *name, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return netip.AddrPort{}, nil, err
	}
	if _, err := netip.ParseAddr(host); err == nil || host == "" {
		master, err := MasterAddr(addr)
		return master, nil, err
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil || number == 0 {
		return netip.AddrPort{}, nil, errAddr
	}
	if lookup == nil {
		lookup = net.DefaultResolver.LookupNetIP
	}
	return netip.AddrPort{}, &name{lookup: lookup, host: host, port: uint16(number), again: firstLookup}, nil
}

// next returns when the next lookup is due. heard is when the master was last heard; urgent means
// that it is silent or not found yet.
func (n *name) next(urgent bool, heard time.Time) time.Time {
	switch {
	case n.last.IsZero():
		return time.Time{}
	case urgent:
		return n.last.Add(n.again)
	}
	due, quiet := n.last.Add(quietLookup), heard.Add(quietAfter)
	if due.Before(quiet) {
		due = quiet
	}
	if latest := n.last.Add(lookupEvery); latest.Before(due) {
		due = latest
	}
	return due
}

// start starts a lookup.
func (n *name) start(ctx context.Context, urgent bool) {
	n.again = min(2*n.again, quietLookup)
	if !urgent || n.last.IsZero() {
		n.again = firstLookup
	}
	n.last = time.Now()
	ctx, n.cancel = context.WithTimeout(ctx, lookupTime)
	result := make(chan found, 1)
	n.found = result
	go func() {
		addrs, err := n.lookup(ctx, "ip4", n.host)
		for i, a := range addrs {
			addrs[i] = a.Unmap()
		}
		result <- found{addrs, err}
	}()
}

// end forgets the lookup that has ended.
func (n *name) end() {
	n.cancel()
	n.found = nil
}

// stop ends the lookup that runs, if there is one.
func (n *name) stop() {
	if n.found != nil {
		n.cancel()
		<-n.found
	}
}

// masters returns the addresses that a lookup has found and a master can have, in the order of the
// lookup.
func (n *name) masters(f found) ([]netip.Addr, error) {
	addrs := slices.DeleteFunc(slices.Clone(f.addrs), func(a netip.Addr) bool { return !isMaster(a) })
	switch {
	case f.err != nil:
		return nil, f.err
	case len(addrs) == 0:
		return nil, &net.DNSError{Name: n.host, Err: "no IPv4 address that a master can have", IsNotFound: true}
	}
	return addrs, nil
}

// choose returns the address to send to. The current one stays as long as the lookup has
// found it, whatever the order. If the master there is silent, it is the next one.
func (n *name) choose(addrs []netip.Addr, current netip.AddrPort, silent bool) netip.AddrPort {
	chosen := addrs[0]
	if slices.Contains(addrs, current.Addr()) {
		chosen = current.Addr()
		if silent {
			chosen = after(addrs, chosen)
		}
	}
	return netip.AddrPortFrom(chosen, n.port)
}

// isMaster reports whether a master can have an address. Resolvers that block names return
// 0.0.0.0, from which a datagram would come back to this machine.
func isMaster(a netip.Addr) bool {
	return a.Is4() && !a.IsUnspecified() && !a.IsMulticast() && a != netip.AddrFrom4([4]byte{255, 255, 255, 255})
}

// after returns the address after a in numerical order. After the last comes the first.
func after(addrs []netip.Addr, a netip.Addr) netip.Addr {
	sorted := slices.SortedFunc(slices.Values(addrs), netip.Addr.Compare)
	for _, next := range sorted {
		if a.Less(next) {
			return next
		}
	}
	return sorted[0]
}
