package stream

import "net/netip"

// sources counts connections by their source addresses.
type sources struct {
	total, perAddress, perPrefix int // limits

	open   int
	counts map[netip.Prefix]int
}

// add counts a connection from a, and reports whether it is within the limits.
// Connections without an address, as of Unix sockets, count only in total.
func (s *sources) add(a netip.Addr) bool {
	if s.open >= s.total {
		return false
	}
	if a.IsValid() {
		address, prefix := blocks(a)
		if s.counts[address] >= s.perAddress || s.counts[prefix] >= s.perPrefix {
			return false
		}
		if s.counts == nil {
			s.counts = make(map[netip.Prefix]int)
		}
		s.counts[address]++
		s.counts[prefix]++
	}
	s.open++
	return true
}

// remove reverts an add.
func (s *sources) remove(a netip.Addr) {
	s.open--
	if !a.IsValid() {
		return
	}
	address, prefix := blocks(a)
	for _, block := range [2]netip.Prefix{address, prefix} {
		s.counts[block]--
		if s.counts[block] == 0 {
			delete(s.counts, block)
		}
	}
}

// blocks returns the addresses that surely have the owner of a, and those that
// probably have.
func blocks(a netip.Addr) (address, prefix netip.Prefix) {
	bits, fewer := 32, 24
	if a.Is6() {
		bits, fewer = 64, 48
	}
	address, _ = a.Prefix(bits) // no error: a is valid and has as many bits
	prefix, _ = a.Prefix(fewer)
	return address, prefix
}
