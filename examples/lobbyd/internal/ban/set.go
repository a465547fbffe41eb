package ban

import "net/netip"

// A set are prefixes. It never changes.
type set struct {
	prefixes map[netip.Prefix]struct{}
	bits4    []int // lengths that there are, each once
	bits6    []int
}

func newSet(prefixes []Prefix) *set {
	s := &set{prefixes: make(map[netip.Prefix]struct{}, len(prefixes))}
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

// contains takes as many look-ups as there are lengths, however many prefixes
// there are.
func (s *set) contains(addr netip.Addr) bool {
	addr = addr.Unmap().WithZone("")
	bits := s.bits4
	if addr.Is6() {
		bits = s.bits6
	}
	for _, n := range bits {
		p, err := addr.Prefix(n)
		if err != nil {
			continue
		}
		if _, banned := s.prefixes[p]; banned {
			return true
		}
	}
	return false
}
