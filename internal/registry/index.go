package registry

import "net/netip"

// An index maps keys to the numbers of entries, and numbers to keys. Addresses are kept
// as short keys without pointers, which the collector need not scan.
type index[K comparable] struct {
	addrs  keys[addrKey]
	others keys[K]
}

// An ip is the address of a key, IPv4 in IPv6 form.
type ip [16]byte

type addrKey struct {
	ip   ip
	port uint16
}

func addrKeyOf(a netip.AddrPort) addrKey { return addrKey{a.Addr().As16(), a.Port()} }

func (k addrKey) addrPort() netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom16(k.ip).Unmap(), k.port)
}

type keys[K comparable] struct {
	numbers map[K]int32
	all     []K // by number; the zero value if the number is not used
}

func (x *index[K]) find(k K) (n int32, ok bool) {
	if a, isAddr := any(k).(netip.AddrPort); isAddr {
		n, ok = x.addrs.numbers[addrKeyOf(a)]
		return n, ok
	}
	n, ok = x.others.numbers[k]
	return n, ok
}

// key returns the key of entry n.
func (x *index[K]) key(n int) K {
	if x.addrs.all != nil {
		k, _ := any(x.addrs.all[n].addrPort()).(K)
		return k
	}
	return x.others.all[n]
}

func (x *index[K]) put(k K, n int32) {
	if a, isAddr := any(k).(netip.AddrPort); isAddr {
		x.addrs.put(addrKeyOf(a), n)
		return
	}
	x.others.put(k, n)
}

func (x *index[K]) remove(n int) {
	if x.addrs.all != nil {
		x.addrs.remove(n)
		return
	}
	x.others.remove(n)
}

func (x *index[K]) len() int { return len(x.addrs.numbers) + len(x.others.numbers) }

// put sets the key of entry n, which is at most one more than the largest number so far.
func (x *keys[K]) put(k K, n int32) {
	if x.numbers == nil {
		x.numbers = make(map[K]int32)
	}
	if int(n) == len(x.all) {
		x.all = append(x.all, k)
	} else {
		x.all[n] = k
	}
	x.numbers[k] = n
}

func (x *keys[K]) remove(n int) {
	var none K
	delete(x.numbers, x.all[n])
	x.all[n] = none
}
