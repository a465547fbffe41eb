package ban

import "net/netip"

// A Set is a set of prefixes. It never changes; nil is the empty set.
type Set struct {
	prefixes map[netip.Prefix]struct{}
	bits4    []int // the lengths that occur, each once
	bits6    []int
}

// NewSet returns the set of the prefixes.
func NewSet(prefixes []Prefix) *Set {
	s := &Set{prefixes: make(map[netip.Prefix]struct{}, len(prefixes))}
	seen4, seen6 := make(map[int]bool), make(map[int]bool)
	for _, p := range prefixes {
		s.prefixes[p.Prefix] = struct{}{}
		bits, seen := &s.bits4, seen4
		if p.Addr().Is6() {
			bits, seen = &s.bits6, seen6
		}
		if !seen[p.Bits()] {
			seen[p.Bits()] = true
			*bits = append(*bits, p.Bits())
		}
	}
	return s
}

// Find returns a prefix that contains an address, if there is one. It needs one
// look-up per length, however many prefixes there are.
func (s *Set) Find(addr netip.Addr) (p Prefix, found bool) {
	if s == nil {
		return Prefix{}, false
	}
	addr = addr.Unmap().WithZone("")
	bits := s.bits4
	if addr.Is6() {
		bits = s.bits6
	}
	for _, n := range bits {
		around, err := addr.Prefix(n)
		if err != nil {
			continue
		}
		if _, found := s.prefixes[around]; found {
			return Prefix{around}, true
		}
	}
	return Prefix{}, false
}
