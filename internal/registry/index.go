package registry

import "net/netip"

// An index has the numbers of entries by key. Addresses have a map of their own: its keys
// are shorter than a netip.AddrPort and have no pointers, which the collector would scan.
type index[K comparable] struct {
	addrs  map[addrKey]int32
	others map[K]int32
}

type addrKey struct {
	ip   [16]byte // IPv4 in IPv6 form
	port uint16
}

func makeIndex[K comparable]() index[K] {
	return index[K]{addrs: make(map[addrKey]int32), others: make(map[K]int32)}
}

func (x *index[K]) find(k K) (n int32, ok bool) {
	if a, isAddr := any(k).(netip.AddrPort); isAddr {
		n, ok = x.addrs[addrKey{a.Addr().As16(), a.Port()}]
		return n, ok
	}
	n, ok = x.others[k]
	return n, ok
}

func (x *index[K]) put(k K, n int32) {
	if a, isAddr := any(k).(netip.AddrPort); isAddr {
		x.addrs[addrKey{a.Addr().As16(), a.Port()}] = n
		return
	}
	x.others[k] = n
}

func (x *index[K]) remove(k K) {
	if a, isAddr := any(k).(netip.AddrPort); isAddr {
		delete(x.addrs, addrKey{a.Addr().As16(), a.Port()})
		return
	}
	delete(x.others, k)
}

func (x *index[K]) len() int { return len(x.addrs) + len(x.others) }
